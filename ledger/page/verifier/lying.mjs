/* Dice on the table: recorded as they lie, confirmed by the other seat, voided (design, 3). */

import { actingSeat, changeGame, checkPlaying, lastMoment, leaveGame, placeOfNext, presentLine, returnTo } from "./course.mjs";
import { ARBITER } from "./roster.mjs";
import { checkDiced, checkRollNumber, diceOfThrow, fallDice, isComputed, nextRoll, startRoll } from "./rolls.mjs";
import { refuse } from "./refusal.mjs";

/** Refuses what waits until dice on the table are confirmed. */
export function checkConfirmed(course) {
  if (!course.rolling.recorded) return;
  refuse("dice", "unconfirmed", "The dice that were written down are confirmed first.");
}

export function recordDice(course, event) {
  const { rolling, roster } = course;
  checkOnTable(course);
  checkPlaying(course);
  checkConfirmed(course);
  checkRollNumber(course, event.data.roll);
  const thrower = throwerNow(course);
  const roll = startRoll(course, thrower, "recorded");
  nextRoll(rolling);
  course.offers = [];
  if (!course.opening.dice.confirm) return fallDice(course, roll, event.data.dice);
  if (event.data.dice.length !== diceOfThrow(course)) {
    refuse("dice", "bad-dice", `${event.data.dice.length} dice are not what is thrown here.`);
  }
  roll.dice = event.data.dice;
  const recorder = actingSeat(event);
  const other = roster.opposite(recorder === ARBITER ? thrower : recorder);
  const confirmer = recorder === ARBITER && thrower === null ? null : other;
  rolling.recorded = { event: placeOfNext(course), roll, confirmer };
  rolling.voiding = null;
  leaveGame(course, true);
}

/** Who throws, where that follows from throws and moves alone; null where it takes the rules. */
function throwerNow(course) {
  const { decided, turn } = lastMoment(course);
  return decided ? turn : course.roster.seats[0];
}

export function confirmDice(course, event) {
  const { rolling, hashes } = course;
  checkDiced(course);
  checkPlaying(course);
  const waiting = [rolling.recorded, rolling.voiding].find(
    (each) => each && hashes[each.event] === event.data.confirms,
  );
  if (!waiting) refuse("dice", "nothing-to-confirm", "No dice wait for this confirmation.");
  if (waiting.confirmer !== null && waiting.confirmer !== actingSeat(event)) {
    refuse("dice", "wrong-turn", `${waiting.confirmer} confirms these dice.`);
  }
  if (waiting === rolling.voiding) return annulDice(course, waiting.roll);
  waiting.roll.confirmed = placeOfNext(course);
  rolling.recorded = null;
  fallDice(course, waiting.roll, waiting.roll.dice);
}

export function voidDice(course, event) {
  const { rolling, roster } = course;
  checkOnTable(course);
  const roll = lyingRoll(course);
  checkPlaying(course);
  if (roll?.roll !== event.data.roll) {
    const what = `Roll ${event.data.roll} does not lie there so that it could be voided.`;
    refuse("dice", "no-such-roll", what);
  }
  const asked = rolling.voiding?.roll === roll ? rolling.voiding : null;
  if (event.by === ARBITER || asked?.confirmer === event.by) return annulDice(course, roll);
  if (asked) refuse("dice", "voided-already", `${event.by} has asked for that already.`);
  rolling.voiding = { event: placeOfNext(course), roll, confirmer: roster.opposite(event.by) };
  leaveGame(course);
}

/** The dice on the table that nothing has been done with yet, or null. */
function lyingRoll(course) {
  const { recorded, rolls } = course.rolling;
  if (recorded) return recorded.roll;
  const last = rolls[rolls.length - 1];
  if (!last || last.voided !== null || !presentLine(course).has(last.event)) return null;
  return course.moments[last.event].board === lastMoment(course).board ? last : null;
}

/** As before the throw. The roll stays on record. */
function annulDice(course, roll) {
  roll.voided = placeOfNext(course);
  course.offers = [];
  Object.assign(course.rolling, { recorded: null, voiding: null });
  returnTo(course, course.moments[roll.thrown].before);
}

/** An act of the game. Dice that something was done with are not voided any more. */
export function playAct(course, seat, type) {
  const turn = lastMoment(course).turn === null ? null : course.roster.opposite(seat);
  changeGame(course, { turn, running: type === "run" });
  course.rolling.voiding = null;
}

function checkOnTable(course) {
  checkDiced(course);
  if (isComputed(course)) {
    refuse("dice", "computed-dice", "The dice of this match are computed: nobody states them.");
  }
}
