/* Who may sign what; design, sections 1 and 3. Nothing here looks at the moment or at the game. */

import { ARBITER, partOf } from "./roster.mjs";
import { quotedShort, refuse } from "./refusal.mjs";

/** Who signs an event of each type; `+` where the arbiter may write it down for a seat that has no
key. */
const SIGNERS = new Map(
  Object.entries({
    "match.opened": "arbiter",
    "seat.accepted": "seat",
    "dice.committed": "seat arbiter",
    roll: "seat +",
    "roll.opened": "seat arbiter",
    "roll.recorded": "seat arbiter +",
    "roll.confirmed": "seat +",
    "roll.voided": "seat arbiter",
    move: "seat +",
    pull: "seat +",
    wager: "seat +",
    pass: "seat +",
    run: "seat +",
    stop: "seat +",
    diablo: "seat +",
    done: "seat +",
    call: "seat +",
    "offer.made": "seat +",
    "offer.accepted": "seat +",
    "offer.declined": "seat +",
    "draw.claimed": "seat +",
    resigned: "seat +",
    "dispute.raised": "seat arbiter witness",
    "dispute.settled": "seat",
    statement: "seat arbiter witness +",
    ruling: "arbiter",
    appeal: "seat",
    "appeal.decided": "appeal",
    "key.replaced": "arbiter",
    "arbiter.replaced": "arbiter appeal",
    adjourned: "seat arbiter +",
    resumed: "seat arbiter +",
    "match.closed": "arbiter",
    countersigned: "seat witness",
    "signature.refused": "arbiter",
    note: "arbiter seat witness appeal",
  }).map(([type, words]) => [type, words.split(" ")]),
);

/** Refuses an event that is not its signer's to sign. `putIn` has the roles whose new key has not
accepted the match yet. */
export function checkAuthority(roster, event, putIn) {
  const { by, type } = event;
  if (putIn.has(by) && type !== "seat.accepted") {
    const what = `Whoever is ${by} now accepts the match with the new key first.`;
    refuse("authority", "not-accepted", what);
  }
  if (event.for !== undefined) checkScribe(roster, event);
  else if (!putIn.has(by) && !SIGNERS.get(type).includes(partOf(roster, by))) {
    const what = `${quotedShort(by)} may not sign an event of the type ${type}.`;
    refuse("authority", "wrong-role", what);
  }
}

/** The arbiter alone writes for others: for a seat, which has no key, and what it does in play. */
function checkScribe(roster, event) {
  const seat = event.for;
  if (event.by !== ARBITER || !SIGNERS.get(event.type).includes("+")) {
    const what = `${quotedShort(event.by)} does not write a ${event.type} for somebody else.`;
    refuse("authority", "wrong-role", what);
  }
  if (!roster?.isSeat(seat)) {
    refuse("authority", "unknown-role", `Nobody sits at ${quotedShort(seat)} here.`);
  }
  if (roster.holder(seat).key) {
    const what = `${seat} has a key and signs alone: the arbiter does not write for ${seat}.`;
    refuse("authority", "seat-has-key", what);
  }
}
