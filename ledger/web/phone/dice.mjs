/* What this phone owes for the dice, done by itself: a commitment, and the opening of its number
when a throw was verified and it is its turn. Design, section 4.

Its own checks come on top of the verifier's: a number that is shown too early cannot be hidden.
*/

import { notAccepted, phaseOf } from "../../page/verifier/course.mjs";
import { commitmentOf } from "../../page/verifier/dice.mjs";
import { contributorsOf, numberOfSeat, toOpen } from "../../page/verifier/rolls.mjs";
import { act, wasOvertaken } from "./acting.mjs";
import { Answer } from "./answer.mjs";

const COMMITS_WHILE = ["waiting", "adjourned", "playing"];
const OTHER_SECRET =
  "The number that this role is bound to is not from this phone: it was made with another secret.";

/** Does what is owed now, if anything; another tab may be faster. Throws `Answer`; what was
refused is not tried again before the match goes on. */
export async function payDice(following) {
  const { head, storage, match } = following;
  const draft = await diceOwed(following);
  if (!draft || following.diceRefusedAt === head) return;
  const before = await storage.get("signed", [match, head]);
  if (before && !before.refused) return;
  try {
    await act(following, draft, head, { byItself: true });
  } catch (error) {
    if (wasOvertaken(error)) return;
    if (error instanceof Answer) following.diceRefusedAt = head;
    throw error;
  }
}

/** The act that this phone owes for the dice, or null. Throws `Answer` where it cannot be done. */
export async function diceOwed(following) {
  const { course, mine, fault } = following;
  if (fault || !course || !isMaker(course, mine)) return null;
  if (course.rolling.flight) return openingOwed(following);
  if (course.rolling.bound.has(mine) || !COMMITS_WHILE.includes(phaseOf(course))) return null;
  const roll = course.rolling.number;
  return { type: "dice.committed", data: { roll, commitment: await bindingOf(following, roll) } };
}

/** The throw, for whoever is to throw: with this phone's number, where it makes dice. */
export async function throwDraft(following) {
  const { course, mine } = following;
  if (!course) throw new Answer("no-role", "This phone has no seat in this match.");
  const roll = course.rolling.number;
  if (!contributorsOf(course).includes(mine)) return { type: "roll", data: { roll } };
  const missing = contributorsOf(course).filter((role) => !course.rolling.bound.has(role));
  if (missing.length) {
    const names = missing.map((role) => course.roster.holder(role).name).join(" and ");
    const what = `Roll ${roll} waits for a number of ${names}.`;
    throw new Answer("not-committed", what, { hint: "Their phones give it by themselves." });
  }
  return { type: "roll", data: await numberShown(following) };
}

function isMaker(course, mine) {
  if (mine === null || !contributorsOf(course).includes(mine)) return false;
  return !course.putIn.has(mine) && !notAccepted(course).includes(mine);
}

async function openingOwed(following) {
  const { course, mine, events } = following;
  const { flight, bound } = course.rolling;
  if (toOpen(course)[0] !== mine) return null;
  const { checks, event } = events[flight.roll.thrown];
  const good = ["form", "signature", "chain", "authority", "dice"].every((each) => checks[each]);
  if (!good || event.type !== "roll" || event.data.roll !== course.rolling.number) return null;
  const unbound = contributorsOf(course).some(
    (role) => !bound.has(role) && !flight.nonces.has(role),
  );
  if (unbound) return null;
  return { type: "roll.opened", data: await numberShown(following) };
}

/** `{roll, nonce, next}`: this phone's number for the roll, and what binds it to that of the next.
Refuses a number that is not the one committed to. */
async function numberShown({ keys, match, course, mine }) {
  const roll = course.rolling.number;
  const seat = numberOfSeat(course, mine);
  const nonce = await keys.nonce(match, roll, seat);
  if ((await commitmentOf(match, roll, seat, nonce)) !== course.rolling.bound.get(mine).hash) {
    const hint = "Play with the phone that accepted the seat, or ask the arbiter for a new key.";
    throw new Answer("other-secret", OTHER_SECRET, { hint });
  }
  return { roll, nonce, next: await bindingOf({ keys, match, course, mine }, roll + 1) };
}

async function bindingOf({ keys, match, course, mine }, roll) {
  const seat = numberOfSeat(course, mine);
  return commitmentOf(match, roll, seat, await keys.nonce(match, roll, seat));
}
