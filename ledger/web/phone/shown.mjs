/* Which numbers of its dice this phone has shown, and under which throw.

A number that was shown may be known to others although the event that showed it never entered the
match: with another throw they could know the dice before they choose. So it is shown under one
throw only. Design, section 4: if a number is public and its roll is abandoned, the roll is dead.
*/

import { Answer } from "./answer.mjs";

const OWN_THROW = "own throw";

/** The row that says what an event shows; null where it shows no number. Refuses to show one under
another throw than before. */
export async function rowOfShown({ match, storage, course }, { type, data }) {
  if (!["roll", "roll.opened"].includes(type) || data.nonce === undefined) return null;
  const under = type === "roll" ? OWN_THROW : course.hashes[course.rolling.flight.roll.thrown];
  const before = await storage.get("shown", [match, data.roll]);
  if (before && before.under !== under) {
    const what = `This phone has shown its number for roll ${data.roll} under another throw.`;
    const hint =
      "Others may know these dice before they choose: ask the arbiter to give up this roll.";
    throw new Answer("number-shown", what, { hint });
  }
  return { match, roll: data.roll, under };
}
