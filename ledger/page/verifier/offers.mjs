/* Offers: made by one seat, answered by the other, by the hash of the offer, never "the last". */

import { actingSeat, changeGame, checkPlaying, lastMoment, leaveGame, presentLine } from "./course.mjs";
import { checkRewind, rewindGame } from "./rewinds.mjs";
import { giveUpRoll } from "./rolls.mjs";
import { refuse } from "./refusal.mjs";

export function makeOffer(course, event, hash) {
  checkPlaying(course);
  const seat = actingSeat(event);
  const terms = event.data;
  if (terms.offer === "takeback") checkTakeback(course, terms.to);
  if (terms.offer === "settlement" && !course.opening.settlements) {
    refuse("authority", "no-settlements", "This match was opened without settlements.");
  }
  if (course.offers.some((each) => each.seat === seat && each.terms.offer === terms.offer)) {
    refuse("authority", "offered-already", `An offer of ${seat} of that kind stands already.`);
  }
  course.offers.push({ hash, seat, terms });
  leaveGame(course);
}

function checkTakeback(course, to) {
  if (!course.opening.takebacks) {
    refuse("authority", "no-takebacks", "This match was opened without takebacks.");
  }
  checkRewind(course, to, keptDice(course));
  const line = presentLine(course);
  const ruled = ["ruling", "appeal.decided"];
  for (const seq of line) {
    if (seq > to && course.moments[seq].acted && ruled.includes(course.events[seq].type)) {
      const what = "What a ruling has done is not taken back by agreement.";
      refuse("authority", "across-a-ruling", what);
    }
  }
  if (to !== 0 && !line.has(to)) {
    refuse("authority", "taken-back", `Event ${to} was taken back: the game cannot return to it.`);
  }
}

/** A takeback never goes back across a throw. */
function keptDice(course) {
  return course.game.dice ? "keep" : undefined;
}

export function acceptOffer(course, event) {
  const { terms } = answeredOffer(course, event);
  if (terms.offer === "takeback") return rewindGame(course, terms.to, keptDice(course));
  const draw = { kind: "draw", how: "agreed", winner: null };
  endGame(course, terms.offer === "draw" ? draw : null);
}

export function declineOffer(course, event) {
  const answered = answeredOffer(course, event);
  course.offers = course.offers.filter((each) => each !== answered);
  leaveGame(course);
}

function answeredOffer(course, event) {
  checkPlaying(course);
  const { offer: hash } = event.data;
  const standing = course.offers.find((each) => each.hash === hash);
  if (!standing) {
    const known = course.hashes.indexOf(hash);
    if (known > 0 && course.events[known].type === "offer.made") {
      refuse("authority", "offer-lapsed", `The offer of event ${known} does not stand any more.`);
    }
    refuse("authority", "no-such-offer", "No event of this match is the offer that is answered.");
  }
  if (standing.seat === actingSeat(event)) {
    refuse("authority", "own-offer", `${standing.seat} made this offer: the other side answers.`);
  }
  return standing;
}

/** What an act of a seat leaves of the offers; a call belongs to the move before it. */
export function lapseOffers(course, seat) {
  course.offers = course.offers.filter(
    (each) => each.seat === seat && each.terms.offer !== "settlement",
  );
}

/** The players end the game. A result of null is one that only the rules can tell. */
export function endGame(course, result) {
  giveUpRoll(course);
  course.offers = [];
  if (result === null) changeGame(course);
  else leaveGame(course, true);
  lastMoment(course).result = result ?? { kind: null };
}

export function resignGame(course, event, phase, started) {
  if (phase !== "adjourned" && !(phase === "waiting" && started)) checkPlaying(course);
  const winner = course.roster.opposite(actingSeat(event));
  endGame(course, { kind: "win", how: "resigned", winner });
}
