/* Who accepts, who takes whose place, and what is said without acting on the game. */

import { leaveGame, placeOfNext } from "./course.mjs";
import { ARBITER } from "./roster.mjs";
import { forgetKey } from "./rolls.mjs";
import { quotedShort, refuse } from "./refusal.mjs";

/** A seat accepts the match, or whoever's new key was put in. */
export function acceptMatch(course, { by: role }) {
  if (course.accepted.has(role)) {
    refuse("authority", "accepted-twice", `${role} has accepted the match already.`);
  }
  if (course.roster.isSeat(role)) course.accepted.add(role);
  course.putIn.delete(role);
  leaveGame(course);
}

export function replaceKey(course, event) {
  const { roster } = course;
  const { role, key, consent } = event.data;
  if (role === ARBITER) {
    refuse("authority", "wrong-role", "The arbiter's key is replaced with the arbiter.");
  }
  const before = roster.holder(role);
  if (!before) refuse("authority", "unknown-role", `Nobody is ${quotedShort(role)} here.`);
  if (!key && !roster.isSeat(role)) {
    refuse("authority", "key-needed", `Nobody is ${role} without a key.`);
  }
  if (consent !== undefined && !before.key) {
    refuse("authority", "bad-consent", `${role} had no key that could consent.`);
  }
  putInto(course, event, role, consent !== undefined);
}

export function replaceArbiter(course, event) {
  putInto(course, event, ARBITER, event.by === ARBITER);
}

function putInto(course, event, role, consent) {
  const { roster } = course;
  const { name, key } = event.data;
  const before = roster.holder(role);
  if (!key && !before.key && name === before.name) {
    refuse("authority", "nobody-new", `Nothing changes: ${role} had no key before.`);
  }
  if (key) roster.checkNew(key);
  if (course.sheet && roster.isSeat(role) && name !== before.name) {
    refuse("authority", "match-closed", "The match is closed: who played it does not change.");
  }
  forgetKey(course, role);
  roster.replace(role, event.data, placeOfNext(course), event.by, consent);
  course.accepted.delete(role);
  if (key) course.putIn.add(role);
  else course.putIn.delete(role);
  leaveGame(course);
}
