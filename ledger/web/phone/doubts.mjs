/* What the server tells of a match, held against the events that the phone has verified.

What it tells is only shown; the rules of the game are not known here, so most of it cannot be
compared. What can be is: a difference is said, and nobody should act on what such a server shows.
*/

import { presentLine } from "../../page/verifier/course.mjs";
import { contributorsOf } from "../../page/verifier/rolls.mjs";

const SHUT = ["closed", "appealed"];

/** `{code, message}` for the first thing that contradicts the verified events, or null. */
export function contradiction(show, { match, seq, head, course }) {
  if (!isShow(show)) return doubt("unreadable", "What it tells of the match cannot be read.");
  if (show.match !== match) return doubt("other-match", "It tells of another match.");
  if (show.seq !== seq || !course) return null;
  const found =
    (show.head !== head && "the last event is another one") ||
    otherPeople(show, course) ||
    otherRoll(show, course) ||
    otherDice(show, course) ||
    (SHUT.includes(show.phase) !== Boolean(course.sheet) && "only one of them is closed");
  return found ? doubt("contradiction", `What it tells does not fit the events: ${found}.`) : null;
}

function isShow(show) {
  const lists = [show?.seats, show?.dice];
  const rolling = show?.rolling ?? null;
  if (rolling !== null) lists.push(rolling.opened, rolling.contributors);
  return lists.every(Array.isArray) && !show.seats.includes(null);
}

function doubt(code, message) {
  return { code, message: `Do not trust what this server shows. ${message}` };
}

function otherPeople(show, { roster }) {
  if (show.arbiter !== roster.holder("arbiter").name) return "the arbiter has another name";
  for (const { seat, name, keyid } of show.seats) {
    const holder = roster.holder(seat);
    if (!holder) return "a seat is called otherwise";
    if (holder.name !== name) return `the player of ${seat} has another name`;
    if ((holder.key?.keyid ?? null) !== keyid) return `the player of ${seat} has another key`;
  }
  return show.seats.length === roster.seats.length ? null : "a seat is missing";
}

function otherRoll({ rolling }, course) {
  if (!rolling || !contributorsOf(course).length) return null;
  const { number, flight } = course.rolling;
  if (rolling.contributors.join() !== contributorsOf(course).join()) {
    return "the dice are made by others";
  }
  if (rolling.roll !== number) return "the roll has another number";
  if (rolling.thrown_by !== (flight?.seat ?? null)) return "another seat has thrown";
  const opened = [...(flight?.nonces.keys() ?? [])].sort().join();
  return [...rolling.opened].sort().join() === opened ? null : "others have opened the roll";
}

/** Dice that lie there are of the roll that stands, unless a ruling has set the position since. */
function otherDice({ dice }, course) {
  const line = presentLine(course);
  const roll = course.rolling.rolls.findLast(
    (each) => each.counted && each.voided === null && line.has(each.event),
  );
  if (!dice.length || !roll) return null;
  for (const number of line) {
    if (number >= roll.event && setsPosition(course.events[number])) return null;
  }
  const left = [...roll.dice];
  for (const die of dice) {
    const place = left.indexOf(die);
    if (place < 0) return "the dice are others";
    left.splice(place, 1);
  }
  return null;
}

function setsPosition({ data }) {
  return data.effects?.some(({ effect }) => effect === "position") ?? false;
}
