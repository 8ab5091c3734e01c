/* Rolls by commit-reveal: bound to a number, thrown, opened one after the other, then computed.

Design, sections 3 and 4. A commitment stands before its opening, one for each contributor and roll;
while a roll is in flight nothing goes on but its openings, a resignation and the arbiter's acts; a
number or a commitment is used once. Nothing of this is ever set back.
*/

import { actingSeat, changeGame, checkPlaying, lastMoment, leaveGame, notAccepted, phaseOf, placeOfNext } from "./course.mjs";
import { commitmentOf, facesOf, seedOf } from "./dice.mjs";
import { ARBITER } from "./roster.mjs";
import { refuse } from "./refusal.mjs";

const LAST_ROLL = 2 ** 32 - 1;
const ARBITERS_NUMBER = 2;
const DICE_OF_THE_OPENING = 2;
const DONE_IN_FLIGHT = ["roll.opened", "resigned", "dispute.raised", "arbiter.replaced"];

export function isComputed(course) {
  return course.opening.dice?.scheme === "commit-reveal/1";
}

/** The roles whose numbers make the dice; none for dice on the table. */
export function contributorsOf(course) {
  return isComputed(course) ? (course.rolling.named ?? course.opening.dice.contributors) : [];
}

/** Refuses contributors that an opening may not name: both seats, both and the arbiter, the arbiter
alone, or the one seat that has a key with the arbiter. */
export function checkContributors(opening, roster) {
  if (opening.dice?.scheme !== "commit-reveal/1") return;
  const named = opening.dice.contributors;
  checkKeyed(named, roster);
  const keyed = roster.seats.filter((seat) => roster.holder(seat).key);
  const lawful = [roster.seats, [...roster.seats, ARBITER], [ARBITER]];
  if (keyed.length) lawful.push([...keyed, ARBITER]);
  if (!lawful.some((each) => each.join() === named.join())) {
    refuse("authority", "bad-contributors", "The dice are not made by those who may make them.");
  }
}

/** Refuses contributors that a ruling may not name: some of seats and arbiter, no seat alone. */
export function checkNamed(named, roster) {
  checkKeyed(named, roster);
  const ordered = [...roster.seats, ARBITER].filter((role) => named.includes(role));
  const alone = named.length === 1 && roster.isSeat(named[0]);
  if (!named.length || ordered.join() !== named.join() || alone) {
    refuse("dice", "bad-contributors", "The ruling names contributors that may not make dice.");
  }
}

function checkKeyed(named, roster) {
  const keyless = named.find((role) => roster.isSeat(role) && !roster.holder(role).key);
  if (keyless !== undefined) {
    const what = `${keyless} has no key, and so no secret to make dice with.`;
    refuse("authority", "keyless-contributor", what);
  }
}

/** Who has still to open the roll in flight: the thrower, the other seat, the arbiter. */
export function toOpen(course) {
  const { flight } = course.rolling;
  const order = [flight.seat, course.roster.opposite(flight.seat), ARBITER];
  const makers = contributorsOf(course);
  return order.filter((role) => makers.includes(role) && !flight.nonces.has(role));
}

/** Refuses what does not go on while a roll is in flight. */
export function checkFlight(course, event) {
  if (!course.rolling.flight || DONE_IN_FLIGHT.includes(event.type)) return;
  if (course.dispute && ["statement", "dispute.settled"].includes(event.type)) return;
  const byArbiter = event.by === ARBITER && event.for === undefined;
  if (byArbiter && event.type !== "dice.committed") return;
  const what = `Roll ${course.rolling.number} is in flight: it is opened before anything else.`;
  refuse("dice", "roll-in-flight", what);
}

export function commitToRoll(course, event) {
  const { by: role, data } = event;
  checkDiced(course);
  checkContributor(course, role);
  if (!["waiting", "adjourned"].includes(phaseOf(course))) checkPlaying(course);
  if (notAccepted(course).includes(role)) {
    refuse("authority", "not-accepted", `${role} accepts the match before committing to dice.`);
  }
  checkRollNumber(course, data.roll);
  const { bound } = course.rolling;
  if (bound.has(role)) {
    const what = `${role} is bound to a number for roll ${data.roll} already.`;
    refuse("dice", "committed-already", what);
  }
  publish(course, data.commitment);
  bound.set(role, { hash: data.commitment, event: placeOfNext(course) });
  leaveGame(course);
}

export async function throwRoll(course, event) {
  const { data } = event;
  checkPlaying(course);
  checkDiced(course);
  const makers = contributorsOf(course);
  if (!makers.length) {
    refuse("dice", "dice-on-table", "This match has dice on the table: they are recorded.");
  }
  checkRollNumber(course, data.roll);
  const missing = makers.filter((role) => !course.rolling.bound.has(role));
  if (missing.length) {
    const what = `Roll ${data.roll} was thrown before ${missing.join(" and ")} had committed.`;
    refuse("dice", "not-committed", what);
  }
  const seat = actingSeat(event);
  const opens = event.by === seat && makers.includes(seat);
  if (opens !== ("nonce" in data) || opens !== ("next" in data)) {
    const what = "Who throws and makes dice opens with the throw; nobody else does.";
    refuse("dice", "bad-throw", what);
  }
  course.offers = [];
  course.rolling.flight = { seat, nonces: new Map(), roll: startRoll(course, seat, "computed") };
  if (opens) await openNumber(course, event);
  else leaveGame(course, true);
}

/** A roll as the report has it, from the event on that is judged now. */
export function startRoll(course, seat, how) {
  const roll = {
    ...{ roll: course.rolling.number, seat, thrown: placeOfNext(course), event: null, dice: [] },
    ...{ how, opened: [], confirmed: null, voided: null, ended: null, counted: false },
  };
  course.rolling.rolls.push(roll);
  return roll;
}

export async function openRoll(course, event) {
  const { by: role, data } = event;
  const { flight } = course.rolling;
  checkDiced(course);
  if (!flight) refuse("dice", "no-flight", "No roll is in flight: nothing is to be opened.");
  checkContributor(course, role);
  checkRollNumber(course, data.roll);
  if (flight.nonces.has(role)) {
    refuse("dice", "opened-twice", `${role} has opened roll ${data.roll} already.`);
  }
  const [first] = toOpen(course);
  if (role !== first) refuse("dice", "out-of-order", `${first} opens before ${role}.`);
  await openNumber(course, event);
}

async function openNumber(course, event) {
  const { by: role, data } = event;
  const { rolling } = course;
  const bound = rolling.bound.get(role);
  if (!bound) {
    const what = `The number of ${role} for roll ${data.roll} went with the old key.`;
    refuse("dice", "no-commitment", what);
  }
  const number = numberOfSeat(course, role);
  if ((await commitmentOf(course.match, data.roll, number, data.nonce)) !== bound.hash) {
    const what = `${role} opens another number for roll ${data.roll} than was committed to.`;
    refuse("dice", "wrong-nonce", what);
  }
  publish(course, data.nonce);
  publish(course, data.next);
  const place = placeOfNext(course);
  rolling.flight.nonces.set(role, data.nonce);
  rolling.flight.roll.opened.push({ role, event: place, committed: bound.event });
  rolling.coming.set(role, { hash: data.next, event: place });
  if (toOpen(course).length) leaveGame(course, true);
  else await computeDice(course);
}

/** All are open: the dice. Where the game is not known, nor is how many dice it throws. */
async function computeDice(course) {
  const { flight } = course.rolling;
  const nonces = [...flight.nonces].map(([role, nonce]) => [numberOfSeat(course, role), nonce]);
  const seed = await seedOf(course.match, flight.roll.roll, nonces);
  const dice = await facesOf(seed, diceOfThrow(course));
  landRoll(course);
  fallDice(course, flight.roll, dice);
}

/** How many dice are thrown now. */
export function diceOfThrow(course) {
  return lastMoment(course).decided ? course.game.dice : DICE_OF_THE_OPENING;
}

/** These dice count: the game goes on with them. */
export function fallDice(course, roll, dice) {
  if (dice.length !== diceOfThrow(course)) {
    refuse("dice", "bad-dice", `${dice.length} dice are not what is thrown here.`);
  }
  Object.assign(roll, { dice, event: placeOfNext(course), counted: true });
  const { decided, running } = lastMoment(course);
  const [first, second] = dice;
  course.rolling.voiding = null;
  if (decided) {
    changeGame(course, { running: running && !course.game.endsRun?.includes(first + second) });
  } else if (first === second) leaveGame(course, true);
  else {
    const starter = course.roster.seats[first > second ? 0 : 1];
    const turn = course.game.winnerOfOpeningPlays ? starter : null;
    changeGame(course, { decided: true, turn });
  }
}

/** A roll in flight is over: for the next number those are bound who have opened. Where a key was
replaced meanwhile that number is dead too. */
function landRoll(course) {
  const { rolling } = course;
  nextRoll(rolling);
  Object.assign(rolling, { bound: rolling.coming, coming: new Map(), flight: null });
  if (rolling.spoiled) killNumber(rolling);
  rolling.spoiled = false;
}

/** A roll in flight is dead, by the event that is judged now. */
export function giveUpRoll(course) {
  const { flight } = course.rolling;
  if (!flight) return;
  flight.roll.ended = placeOfNext(course);
  landRoll(course);
}

/** What the dice are once the game was set by a ruling or an agreement. */
export function layDice(course) {
  const { rolling } = course;
  giveUpRoll(course);
  if (rolling.recorded) rolling.recorded.roll.voided = placeOfNext(course);
  Object.assign(rolling, { recorded: null, voiding: null });
}

/** A contributor has another key: commitments for a coming roll die with the old one. */
export function forgetKey(course, role) {
  const { rolling } = course;
  if (!contributorsOf(course).includes(role)) return;
  if (rolling.flight) {
    rolling.bound.delete(role);
    rolling.spoiled = true;
  } else killNumber(rolling);
}

function killNumber(rolling) {
  if (!rolling.bound.size) return;
  nextRoll(rolling);
  rolling.bound = new Map();
}

export function nextRoll(rolling) {
  if (rolling.number >= LAST_ROLL) refuse("dice", "wrong-roll", "No number is left for a roll.");
  rolling.number += 1;
}

export function numberOfSeat(course, role) {
  return role === ARBITER ? ARBITERS_NUMBER : course.roster.seats.indexOf(role);
}

export function checkDiced(course) {
  if (!course.opening.dice) refuse("dice", "no-dice", "This game is played without dice.");
}

export function checkRollNumber(course, number) {
  const due = course.rolling.number;
  if (number !== due) {
    refuse("dice", "wrong-roll", `Roll ${due} is the next; this event says roll ${number}.`);
  }
}

function checkContributor(course, role) {
  if (contributorsOf(course).includes(role)) return;
  refuse("dice", "not-contributor", `The dice of this match are not made by ${role}.`);
}

function publish(course, value) {
  const { published } = course.rolling;
  if (published.has(value)) {
    refuse("dice", "used-before", "This commitment or number stood in this match before.");
  }
  published.add(value);
}
