/* One event after the other: what is asked of it at its place, and what the match is after it. */

import { checkAuthority } from "./authority.mjs";
import { closeMatch, countersign, refuseSignature } from "./closing.mjs";
import { actingSeat, checkPlaying, leaveGame, phaseOf, underWay } from "./course.mjs";
import { checkFrozen, makeStatement, raiseAppeal, raiseDispute, settleDispute } from "./disputes.mjs";
import { checkConfirmed, confirmDice, playAct, recordDice, voidDice } from "./lying.mjs";
import { acceptOffer, declineOffer, endGame, lapseOffers, makeOffer, resignGame } from "./offers.mjs";
import { acceptMatch, replaceArbiter, replaceKey } from "./people.mjs";
import { refuse } from "./refusal.mjs";
import { adjournGame, checkSealed, resumeGame } from "./resting.mjs";
import { checkFlight, commitToRoll, openRoll, throwRoll } from "./rolls.mjs";
import { decideAppeal, ruleOn } from "./rulings.mjs";

const ACTS = ["move", "pull", "wager", "pass", "run", "stop", "diablo", "done", "call"];
const WAIT_FOR_CONFIRMATION = [
  ...ACTS,
  ...["offer.made", "offer.accepted", "offer.declined", "draw.claimed"],
];

const WHAT_FOLLOWS = new Map(
  Object.entries({
    "match.opened": () => refuse("authority", "opened-twice", "The match is open already."),
    "seat.accepted": acceptMatch,
    "dice.committed": commitToRoll,
    roll: throwRoll,
    "roll.opened": openRoll,
    "roll.recorded": recordDice,
    "roll.confirmed": confirmDice,
    "roll.voided": voidDice,
    "offer.made": makeOffer,
    "offer.accepted": acceptOffer,
    "offer.declined": declineOffer,
    "draw.claimed": claimDraw,
    resigned: (course, event) => resignGame(course, event, phaseOf(course), underWay(course)),
    "dispute.raised": raiseDispute,
    "dispute.settled": settleDispute,
    statement: makeStatement,
    ruling: ruleOn,
    appeal: raiseAppeal,
    "appeal.decided": decideAppeal,
    "key.replaced": replaceKey,
    "arbiter.replaced": replaceArbiter,
    adjourned: adjournGame,
    resumed: resumeGame,
    "match.closed": closeMatch,
    countersigned: countersign,
    "signature.refused": refuseSignature,
    note: (course) => leaveGame(course),
    ...Object.fromEntries(ACTS.map((type) => [type, actOnBoard])),
  }),
);

/** Refuses what its signer may not do, or not now, whatever it says. Changes nothing. */
export function checkAllowed(course, event) {
  checkAuthority(course.roster, event, course.putIn);
  checkFlight(course, event);
  checkFrozen(course, event);
  if (WAIT_FOR_CONFIRMATION.includes(event.type)) checkConfirmed(course);
}

/** The match after one event more. Refuses an event that may not stand there. */
export async function proceed(course, event, hash) {
  checkAllowed(course, event);
  await WHAT_FOLLOWS.get(event.type)(course, event, hash);
  course.events.push(event);
  course.hashes.push(hash);
}

/** An act of the game. Its legality is not judged here: that takes the rules. */
function actOnBoard(course, event) {
  checkPlaying(course);
  const seat = actingSeat(event);
  if (event.type === "call") return leaveGame(course, true);
  checkSealed(course, event);
  lapseOffers(course, seat);
  playAct(course, seat, event.type);
}

function claimDraw(course) {
  checkPlaying(course);
  endGame(course, null);
}
