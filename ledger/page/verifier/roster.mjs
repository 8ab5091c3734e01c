/* Who holds which role, with which key, from which event on. One key, one role, once.

A key that was replaced is dead; it has had its role and gets no other.
*/

import { quotedShort, refuse } from "./refusal.mjs";

export const ARBITER = "arbiter";
export const APPEAL = "appeal";
const WITNESS = "witness";

/** The keys that an event brings, as lines. */
export function linesOf(event) {
  const data = event.data;
  if (event.type === "key.replaced") return data.key ? [data.key] : [];
  if (event.type === "arbiter.replaced") return [data.key];
  if (event.type !== "match.opened") return [];
  const officers = [data.arbiter, ...data.witnesses, ...(data.appeal ? [data.appeal] : [])];
  return [...officers, ...Object.values(data.seats)].flatMap(({ key }) => key ?? []);
}

export class Roster {
  /** The roster that an opening gives. Refuses keys or seats that do not fit. */
  constructor(opening, seats, keys) {
    this.keys = keys;
    this.seats = seats;
    this.holders = new Map();
    this.everHeld = new Map();
    this.tenures = [];
    const named = Object.keys(opening.seats);
    if (named.length !== 2 || !seats.every((seat) => named.includes(seat))) {
      refuse("authority", "wrong-seats", `The seats of this game are ${seats.join(" and ")}.`);
    }
    this.#enter(ARBITER, opening.arbiter);
    for (const seat of seats) this.#enter(seat, opening.seats[seat]);
    opening.witnesses.forEach((each, index) => this.#enter(`${WITNESS}${index + 1}`, each));
    if (opening.appeal) this.#enter(APPEAL, opening.appeal);
  }

  #enter(role, { name, key }) {
    if (this.holders.has(role)) {
      refuse("authority", "wrong-seats", "A seat is called like the role of somebody else.");
    }
    this.#seat(role, name, key, { since: 0, putInBy: null, consent: null });
  }

  #seat(role, name, line, { since, putInBy, consent }) {
    const key = line ? this.keys.byLine.get(line) : null;
    if (key) this.checkNew(line);
    this.holders.set(role, { role, name, key });
    if (key) this.everHeld.set(line, role);
    const keyid = key?.keyid ?? null;
    this.tenures.push({ role, name, keyid, since, until: null, putInBy, consent });
  }

  isSeat(role) {
    return this.seats.includes(role);
  }

  opposite(seat) {
    return this.seats.find((each) => each !== seat);
  }

  /** Who holds a role now; undefined where the match has no such role. */
  holder(role) {
    return this.holders.get(role);
  }

  /** Refuses a key that has, or had, a role in this match. */
  checkNew(line) {
    const role = this.everHeld.get(line);
    if (role === undefined) return;
    refuse("authority", "key-twice", `This key is or was that of ${role}: one key, one role.`);
  }

  /** Gives a role to another holder, since an event that `by` signed. `consents` says whether the
  old key signed it too, if there was one. */
  replace(role, { name, key }, since, by, consents) {
    const consent = this.holder(role).key ? consents : null;
    this.tenures.findLast((each) => each.role === role).until = since;
    this.#seat(role, name, key, { since, putInBy: by, consent });
  }

  /** A key that was put in after the course of the match could not be judged any more: what follows
  is judged by it, lest its owner be accused of another's fault. */
  follow({ type, by, data }, since, consents) {
    const ofRole = type === "key.replaced";
    if (!ofRole && type !== "arbiter.replaced") return;
    const role = ofRole ? data.role : ARBITER;
    const lawful = ofRole ? by === ARBITER && role !== ARBITER : [ARBITER, APPEAL].includes(by);
    if (!lawful || !this.holder(role) || this.everHeld.has(data.key)) return;
    this.replace(role, data, since, by, consents);
  }

  /** The key that the roster gives to the signer of an event. Refuses roles without one. */
  signer(event) {
    const holder = this.holder(event.by);
    if (!holder) refuse("authority", "unknown-role", `Nobody is ${quotedShort(event.by)} here.`);
    if (!holder.key) {
      const what = `${event.by} plays without a key, so nobody can sign as ${event.by}.`;
      refuse("authority", "no-key", what);
    }
    return holder.key;
  }
}

/** What a role is in any match: a seat, a witness, the arbiter, the appeal. */
export function partOf(roster, role) {
  if (roster?.isSeat(role)) return "seat";
  return role.startsWith(WITNESS) ? WITNESS : role;
}
