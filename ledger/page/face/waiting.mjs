/* Whom a match waited for after an event. The seat to move is the sender's word, unsigned; what
   holds play up (a dispute, a break, a key that has not accepted, dice that are owed) stands in the
   signed events and goes before it. From the first event on that could not be judged nothing is
   said. */

import { inside, listOf, quoted } from "./elements.mjs";
import { diceInWords, goesBackTo, holderAfter, isJudged, personOf, seatsOf } from "./told.mjs";

const HELD = new WeakMap();
const ENDS = ["resigned", "draw.claimed"];
const AT_START = {
  ...{ dispute: null, rest: null, sealed: null, ended: false, closed: false },
  ...{ appeal: null, accepted: [], putIn: [], makers: [] },
};

/** What holds the match up after each event. */
function heldUp(report) {
  if (!HELD.has(report)) {
    const found = [];
    for (const item of report.events) found.push(after(report, item, found));
    HELD.set(report, found);
  }
  return HELD.get(report);
}

function after(report, item, found) {
  const before = found.at(-1) ?? AT_START;
  if (!isJudged(report, item.number)) return before;
  const now = { ...before };
  const { type, by, for: forSeat, data } = item.event;
  const back = goesBackTo(report, item);
  if (back !== null) Object.assign(now, { ended: found[back]?.ended ?? false, sealed: null });
  if (ENDS.includes(type)) now.ended = true;
  if (type === "offer.accepted" && back === null) now.ended = true;
  if (type === "match.opened") now.makers = listOf(inside(data, "dice", "contributors"));
  if (type === "match.closed") now.closed = true;
  if (type === "seat.accepted") {
    now.accepted = [...now.accepted, by];
    now.putIn = now.putIn.filter((role) => role !== by);
  }
  if (type === "key.replaced") now.accepted = now.accepted.filter((role) => role !== data.role);
  if (type === "arbiter.replaced") now.putIn = ["arbiter"];
  if (type === "dispute.raised") {
    now.dispute = { number: item.number, about: data.event, settled: [], hash: item.hash };
  }
  if (type === "dispute.settled" && now.dispute) {
    const settled = [...now.dispute.settled, by];
    const both = seatsOf(report).every((seat) => settled.includes(seat));
    now.dispute = both ? null : { ...now.dispute, settled };
  }
  if (type === "adjourned") {
    now.rest = now.rest ?? { until: data.until };
    if (data.sealed !== undefined) now.sealed = forSeat ?? by;
  }
  if (type === "resumed") Object.assign(now, resumed(report, item, before));
  if (type === "appeal") now.appeal = item.number;
  if (type === "appeal.decided") now.appeal = null;
  if (type === "ruling") now.dispute = null;
  for (const effect of listOf(data.effects)) {
    if (effect.effect === "position") Object.assign(now, { ended: false, sealed: null });
    if (effect.effect === "contributors") now.makers = effect.contributors;
    if (effect.effect === "result") Object.assign(now, { ended: true, rest: null, sealed: null });
  }
  return now;
}

/** A sealed move that stays sealed loses, or waits for a ruling, as the opening has it. */
function resumed(report, item, before) {
  const over = { rest: null, sealed: null };
  if (item.event.data.opened !== undefined || before.sealed === null) return over;
  if (report.opening.sealed_move_unopened === "loses") return { ...over, ended: true };
  const dispute = { number: item.number, about: item.number, settled: [], hash: item.hash };
  return { ...over, dispute };
}

function people(report, roles, number) {
  return roles.flatMap((role, place) => [place ? " and " : "", personOf(report, role, number + 1)]);
}

function missingAfter(report, now, number) {
  const keyed = seatsOf(report).filter((seat) => holderAfter(report, seat, number)?.keyid);
  return [...now.putIn, ...keyed.filter((seat) => !now.accepted.includes(seat))];
}

/** Who owes the next opening of a roll that is thrown and has no dice yet. */
function owing(report, now, number) {
  const roll = report.rolls.findLast(({ thrown }) => thrown <= number);
  const later = (event) => event === null || event > number;
  if (!roll || roll.how === "recorded" || !later(roll.event) || !later(roll.ended)) return null;
  const opened = listOf(roll.opened).filter(({ event }) => event <= number);
  const other = seatsOf(report).find((seat) => seat !== roll.seat);
  const order = [roll.seat, other, "arbiter"].filter((role) => now.makers.includes(role));
  const role = order.find((each) => !opened.some((part) => part.role === each));
  return role === undefined ? null : { roll, role };
}

/** Dice that are written down and wait for the other seat's word. */
function unconfirmed(report, number) {
  if (!report.opening?.dice?.confirm) return null;
  const roll = report.rolls.findLast(({ thrown }) => thrown <= number);
  const later = (event) => event === null || event > number;
  const waits = roll?.how === "recorded" && later(roll.confirmed) && later(roll.voided);
  return waits ? roll : null;
}

/** The other seat than the one that wrote the dice down; where the arbiter did, than the thrower. */
function forConfirmation(report, roll, number, turn) {
  const { by, for: forSeat } = report.events[roll.thrown].event;
  const writer = forSeat ?? by;
  const thrower = writer === "arbiter" ? (roll.seat ?? turn) : writer;
  const others = seatsOf(report).filter((seat) => seat !== thrower);
  const whose = others.length === 1 ? people(report, others, number) : ["the other seat"];
  return ["Waits for ", whose, " to confirm the dice ", diceInWords(roll.dice)];
}

/** A sentence on whom the match waits for after an event; `null` where that is not known, or where
nobody has anything to do. `turn` is the seat to move as the sender's board has it. */
export function waitingAfter(report, number, turn) {
  if (!isJudged(report, number)) return null;
  const now = heldUp(report)[number];
  const arbiter = () => people(report, ["arbiter"], number);
  if (now.dispute) {
    const { number: raised, about } = now.dispute;
    const what = raised === about ? "the sealed move was not opened" : `event ${about} is disputed`;
    return [`The game is frozen: ${what} (event ${raised}). Waits for the ruling of `, arbiter()];
  }
  if (now.closed) {
    return now.appeal === null
      ? null
      : [`Waits for the decision of the appeal in event ${now.appeal}`];
  }
  if (now.ended) return ["The game is over. Waits for ", arbiter(), " to close the match"];
  if (now.rest) {
    const until = now.rest.until === undefined ? "" : [" until ", quoted(now.rest.until)];
    if (now.sealed === null) return ["Adjourned", until, "; waits for ", arbiter(), " to resume"];
    const who = people(report, [now.sealed], number);
    return ["Adjourned", until, "; waits for ", who, " to open the sealed move"];
  }
  const missing = missingAfter(report, now, number);
  if (missing.length) return ["Waits for ", people(report, missing, number), " to accept"];
  const owed = owing(report, now, number);
  if (owed) {
    const who = people(report, [owed.role], number);
    return [`Roll ${owed.roll.roll} is thrown. Waits for `, who, " to open it"];
  }
  const lying = unconfirmed(report, number);
  if (lying) return forConfirmation(report, lying, number, turn);
  return turn ? ["To act: ", people(report, [turn], number)] : null;
}
