/* Numbers as the score sheet has them. Where moves alternate and there are no dice, a row of the
   sheet holds the moves of both sides, and so one number stands for two turns; with dice the
   signed number of the roll says where the game is. From the first event on that could not be
   judged there are no numbers: a wrong one is worse than none. */

import { gameOf } from "../verifier/games.mjs";
import { inside, listOf } from "./elements.mjs";
import { goesBackTo, isJudged } from "./told.mjs";

const IN_GROUP = 10;
const THROWN = ["roll", "roll.recorded"];
const SHEET_ENDS = ["match.closed", "countersigned", "signature.refused"];

function movesAlternate(report) {
  const game = report.opening ? gameOf(report.opening) : null;
  return game !== null && game.dice === 0;
}

/** Whether the arbiter set up a position: then who moves first is not seen from the first move. */
function setsPosition(item) {
  const effects = listOf(inside(item.event, "data", "effects"));
  return effects.some((effect) => inside(effect, "effect") === "position");
}

/** The row of each move, by the number of its event; `answer` for the second move of a row. */
export function sheetRows(report) {
  const rows = new Map();
  if (!movesAlternate(report)) return rows;
  const places = [];
  let opener = null;
  for (const item of report.events) {
    if (!isJudged(report, item.number)) return rows;
    if (opener === null && setsPosition(item)) return rows;
    const back = goesBackTo(report, item);
    let place = back === null ? (places.at(-1) ?? { row: 0, seat: null }) : places[back];
    if (item.event.type === "move") {
      const seat = item.event.for ?? item.event.by;
      opener ??= seat;
      const answer = place.seat === opener && seat !== opener;
      place = { row: place.row + (answer ? 0 : 1), seat };
      rows.set(item.number, { row: place.row, answer });
    }
    places.push(place);
  }
  return rows;
}

function tens(what, at) {
  const first = Math.floor((at - 1) / IN_GROUP) * IN_GROUP + 1;
  return `${what} ${first} to ${first + IN_GROUP - 1}`;
}

/** The events cut into groups, each with a name that the sheet or the dice give it. */
export function groupsOf(report, rows, longest) {
  const groups = [];
  const what = movesAlternate(report) ? "Score sheet, rows" : "Rolls";
  let [at, ended] = [0, false];
  for (const item of report.events.slice(0, longest)) {
    const type = inside(item.event, "type");
    const roll = THROWN.includes(type) ? inside(item.event, "data", "roll") : null;
    ended ||= SHEET_ENDS.includes(type);
    if (rows.has(item.number)) at = rows.get(item.number).row;
    else if (Number.isSafeInteger(roll) && roll > 0) at = roll;
    let name = at ? tens(what, at) : "Before play";
    if (ended) name = "The end";
    if (!isJudged(report, item.number)) name = "What could not be judged in full";
    if (groups.at(-1)?.name !== name) groups.push({ name, items: [] });
    groups.at(-1).items.push(item);
  }
  return groups;
}
