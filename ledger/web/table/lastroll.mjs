/* The dice that were thrown last, for as long as nothing was done since: those of a tie, of who
   begins, and those that nobody can play are seen nowhere else. What came of them is the server's
   word: no rule of a game is known here. */

import { drawDice } from "../../page/face/drawing.mjs";
import { element, quoted } from "../../page/face/elements.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered, askFor } from "../phone/asking.mjs";

/** The roll that nothing has followed; dice that are still to be played lie by the board. */
function rollJustMade({ following, show }) {
  const { rolling, events } = following.course;
  const roll = rolling.rolls.at(-1);
  if (!roll?.dice || roll.event === null || roll.voided !== null || show?.dice.length) return null;
  if (rolling.recorded || rolling.flight) return null;
  const quiet = ["dice.committed", "roll.confirmed"];
  const since = [...events.keys()].filter((number) => number > roll.event);
  return since.every((number) => quiet.includes(events[number].type)) ? roll : null;
}

export function lastRoll(sitting) {
  const roll = rollJustMade(sitting);
  if (!roll) return null;
  if (sitting.rollTold?.event !== roll.event) askWhatCameOfIt(sitting, roll.event);
  const { words } = sitting.rollTold;
  return element("p", { class: "lying", "data-key": `rolled-${roll.event}` }, [
    drawDice(roll.dice),
    words
      ? element("span", {}, quoted(words), ".")
      : element("span", {}, `Roll ${roll.roll}: `, element("strong", {}, roll.dice.join("-")), "."),
  ]);
}

async function askWhatCameOfIt(sitting, event) {
  const told = { event, words: "" };
  sitting.rollTold = told;
  try {
    const { events } = await askFor(
      `/api/matches/${sitting.following.match}/log?since=${event - 1}`,
    );
    told.words = events.find(({ seq }) => seq === event)?.text ?? "";
  } catch (error) {
    if (!(error instanceof Answer || error instanceof Unanswered)) throw error;
  }
  if (!told.words || sitting.rollTold !== told) return;
  sitting.say(`${told.words}.`);
  sitting.draw();
}
