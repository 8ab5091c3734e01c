/* Going back; design, "Rewind". The game alone is restored, and nobody chooses between throws. */

import { lineTo, presentLine, returnTo } from "./course.mjs";
import { layDice } from "./rolls.mjs";
import { refuse } from "./refusal.mjs";

/** The game as after event `to`; with `rethrow` as before the dice that lay there. */
export function rewindGame(course, to, dice) {
  checkRewind(course, to, dice);
  const target = targetOf(course, to, dice);
  layDice(course);
  course.offers = [];
  course.sealed = null;
  returnTo(course, target);
}

export function checkRewind(course, to, dice) {
  if (to >= course.moments.length) {
    refuse("authority", "no-such-event", `There is no event ${to} to go back to.`);
  }
  if (!course.game.dice) {
    if (dice !== undefined) refuse("dice", "no-dice", "This game has no dice to keep or rethrow.");
  } else if (dice === undefined) {
    refuse("dice", "dice-unsaid", "It is not said whether the dice are kept or thrown anew.");
  } else if (dice === "keep") checkKept(course, to);
  if (!countedRolls(course).length) return;
  const line = lineTo(course, targetOf(course, to, dice));
  checkVoided(course, line);
  checkReturning(course, line);
  checkSetPositions(course, line);
}

function countedRolls(course) {
  return course.rolling.rolls.filter((roll) => roll.counted);
}

/** The last roll that counts in the game as it stood after event `seq`. */
function lastRollAt(course, seq) {
  const counted = new Map(countedRolls(course).map((roll) => [roll.event, roll]));
  let place = seq;
  while (place && !counted.has(place)) place = course.moments[place].before;
  return counted.get(place);
}

/** `keep` needs the throw in force, or the very last one where a rewind took it off. */
function checkKept(course, to) {
  const { flight, recorded } = course.rolling;
  if (flight || recorded) {
    refuse("dice", "across-a-throw", "A roll is under way: it cannot be kept.");
  }
  const then = lastRollAt(course, to);
  const standing = lastRollAt(course, course.moments.length - 1);
  if (then !== standing && (!then || then !== countedRolls(course).at(-1))) {
    refuse("dice", "across-a-throw", `Dice were thrown since event ${to}: none can be kept.`);
  }
}

function checkVoided(course, line) {
  const back = countedRolls(course).find((roll) => roll.voided !== null && line.has(roll.event));
  if (back) refuse("dice", "voided", `Roll ${back.roll} was voided: its dice do not come back.`);
}

/** A throw that was taken back counts again only if no other was thrown in its stead. */
function checkReturning(course, line) {
  const counted = countedRolls(course);
  const present = presentLine(course);
  const withLast = lineTo(course, Math.max(...counted.map((roll) => roll.event)));
  const back = counted.find(
    ({ event }) => line.has(event) && !present.has(event) && !withLast.has(event),
  );
  if (back) {
    const what = `Roll ${back.roll} was taken back and others thrown: it does not come back.`;
    refuse("dice", "across-a-throw", what);
  }
}

/** What stood before a position was set does not come back once dice were thrown after it. */
function checkSetPositions(course, line) {
  const last = Math.max(...countedRolls(course).map((roll) => roll.event));
  for (const seq of presentLine(course)) {
    const effects = course.events[seq].data.effects ?? [];
    const sets = effects.some(({ effect }) => effect === "position");
    if (sets && seq < last && !line.has(seq)) {
      const what = `Dice were thrown since event ${seq} set the position.`;
      refuse("dice", "across-a-throw", what);
    }
  }
}

/** The event whose game is restored: `to`, or what stood before the dice that lay there. Dice lie
until the next act, but for those of the opening and of a Run, which are never moved. */
function targetOf(course, to, dice) {
  const roll = dice === "rethrow" ? lastRollAt(course, to) : undefined;
  if (!roll) return to;
  const { moments } = course;
  const before = moments[roll.thrown].before;
  const { decided, running } = moments[before];
  const lies = decided && !running && moments[to].board === moments[roll.event].board;
  return lies ? before : to;
}
