/* The event that is told of, and the report around it: who held which role, which event has which
   hash. Of a damaged event any member may be missing or of another kind. */

import { inside, listOf, quoted } from "./elements.mjs";
import { gameOf } from "../verifier/games.mjs";

const INDEXES = new WeakMap();

/** Events by their hash, rolls by the event since which they have dice. */
function indexOf(report) {
  if (!INDEXES.has(report)) {
    const hashed = report.events.filter((item) => item.hash !== null);
    INDEXES.set(report, {
      numbers: new Map(hashed.map((item) => [item.hash, item.number])),
      fallen: new Map(report.rolls.map((roll) => [roll.event, roll])),
      rolls: new Map(report.rolls.flatMap((roll) => eventsOf(roll).map((at) => [at, roll]))),
      unjudged: firstUnjudged(report),
    });
  }
  return INDEXES.get(report);
}

/** The events that throw, write down, open or confirm a roll. */
function eventsOf(roll) {
  const opened = listOf(roll.opened).map((part) => part.event);
  return [roll.thrown, roll.event, roll.confirmed, ...opened].filter((at) => at !== null);
}

/** The roll that an event threw, wrote down, opened or confirmed. */
export function rollOf(report, number) {
  return indexOf(report).rolls.get(number);
}

/** A match is judged event by event, up to the first that cannot be: what follows may be signed by
the right keys, but what it does to the game is not known. */
function firstUnjudged(report) {
  if (!report.opening || gameOf(report.opening) === null) return 0;
  const stops = ({ authority, chain, dice }) => !authority || chain === false || dice === false;
  const found = report.events.findIndex(({ checks }) => stops(checks));
  return found < 0 ? report.events.length : found;
}

/** Whether an event, and all before it, could be judged. */
export function isJudged(report, number) {
  return number < indexOf(report).unjudged;
}

/** What a teller looks at: the event, and the report that it stands in. */
export class Told {
  constructor(report, number) {
    this.report = report;
    this.number = number;
    this.event = report.events[number].event;
  }

  data(...path) {
    return inside(this.event, "data", ...path);
  }

  say(...path) {
    return quoted(this.data(...path));
  }

  /** Who held a role when the event was signed. */
  who(role) {
    return personOf(this.report, role, this.number);
  }

  actor() {
    return this.who(inside(this.event, "for") ?? inside(this.event, "by"));
  }

  /** The event that has this hash: "event 7". */
  named(...path) {
    return eventNamed(this.report, this.data(...path));
  }

  /** The dice that exist since this event. */
  fell() {
    const roll = indexOf(this.report).fallen.get(this.number);
    return roll && roll.how !== "recorded" ? [": ", diceInWords(roll.dice)] : [];
  }
}

export function partyAt(report, role, number) {
  return report.parties.find(
    (party) =>
      party.role === role &&
      (number > party.since || party.since === 0) &&
      (party.until === null || number <= party.until),
  );
}

/** "Alba (swedes)": the name that the record gives to a role at an event. */
export function personOf(report, role, number) {
  const party = partyAt(report, role, number);
  if (!party) return quoted(role);
  return [quoted(party.name), " (", quoted(role), ")"];
}

export function diceInWords(dice) {
  return quoted(listOf(dice).join("-") || "?");
}

/** The number of the event that has this hash; `undefined` where it is not here. */
export function numberOfHash(report, hash) {
  return indexOf(report).numbers.get(hash);
}

function eventNamed(report, hash) {
  const found = numberOfHash(report, hash);
  return found === undefined ? "an event that is not here" : `event ${found}`;
}

export function eventOf(report, number) {
  return report.events[number]?.event ?? null;
}

/** Who holds a role once an event has taken effect. */
export function holderAfter(report, role, number) {
  return report.parties.findLast((party) => party.role === role && party.since <= number);
}

/** The seats in the order of the game, the first seat first; as they stand where the page does not
know the game. */
export function seatsOf(report) {
  const opening = report.opening ?? null;
  return opening === null ? [] : (gameOf(opening)?.seats ?? Object.keys(opening.seats));
}

/** The event whose game is restored by a ruling or by a takeback that was agreed to; `null` where
an event goes on from the one before it. */
export function goesBackTo(report, item) {
  const type = inside(item.event, "type");
  if (type === "offer.accepted") {
    const offer = eventOf(report, numberOfHash(report, inside(item.event, "data", "offer")));
    return inside(offer, "data", "to") ?? null;
  }
  if (type !== "ruling" && type !== "appeal.decided") return null;
  const effects = listOf(inside(item.event, "data", "effects"));
  return (
    inside(
      effects.find((each) => inside(each, "effect") === "rewind"),
      "to",
    ) ?? null
  );
}
