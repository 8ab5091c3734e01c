/* The end: closed with its result, countersigned, or not. */

import { lastMoment, leaveGame, presentLine } from "./course.mjs";
import { partOf } from "./roster.mjs";
import { newSheet } from "./rulings.mjs";
import { quotedShort, refuse } from "./refusal.mjs";

export function closeMatch(course, event) {
  const { result, ruling } = event.data;
  if (course.sheet) refuse("authority", "match-closed", "The match is closed already.");
  const known = lastMoment(course).result;
  if (known?.kind && !sameResult(known, result)) {
    refuse("authority", "wrong-result", "The match is closed with another result than it had.");
  }
  const cited = citedRuling(course);
  if (cited !== undefined && cited !== (ruling ?? null)) {
    const what = "A closing cites the ruling that gave the result, and no other.";
    refuse("authority", "wrong-citation", what);
  }
  leaveGame(course);
  course.sheet = newSheet(course.moments.length - 1);
}

function sameResult(one, other) {
  const winner = other.winner ?? null;
  return one.kind === other.kind && one.how === other.how && one.winner === winner;
}

/** The hash of the ruling that the game as it stands rests on; null where the last act was another,
undefined where only the rules could tell. */
function citedRuling(course) {
  for (const seq of [...presentLine(course)].sort((one, other) => other - one)) {
    const { acted } = course.moments[seq];
    if (acted === null) return undefined;
    if (!acted) continue;
    const ruled = ["ruling", "appeal.decided"].includes(course.events[seq].type);
    return ruled ? course.hashes[seq] : null;
  }
  return null;
}

export function countersign(course, event) {
  const { result_event: given, absent } = event.data;
  const sheet = standingSheet(course, given);
  const role = event.by;
  if (sheet.signed.has(role) && absent === undefined) {
    refuse("authority", "countersigned-twice", `${role} has countersigned this result already.`);
  }
  sheet.forAbsent.delete(role);
  if (absent !== undefined) {
    if (partOf(course.roster, role) !== "witness") {
      refuse("authority", "wrong-role", "Only a witness signs instead of an absent player.");
    }
    checkSeat(course, absent);
    if (sheet.signed.has(absent) || sheet.forAbsent.has(absent)) {
      const what = `${absent} has countersigned this result, or somebody instead.`;
      refuse("authority", "countersigned-twice", what);
    }
    sheet.forAbsent.set(absent, role);
  }
  sheet.refused.delete(role);
  sheet.signed.add(role);
  leaveGame(course);
}

export function refuseSignature(course, event) {
  const { result_event: given, seat } = event.data;
  const sheet = standingSheet(course, given);
  checkSeat(course, seat);
  if (sheet.signed.has(seat)) {
    refuse("authority", "countersigned-twice", `${seat} has countersigned this result.`);
  }
  if (sheet.refused.has(seat)) {
    refuse("authority", "refused-already", "That is on record already.");
  }
  sheet.refused.add(seat);
  leaveGame(course);
}

function standingSheet(course, given) {
  const { sheet, hashes } = course;
  if (!sheet) refuse("authority", "not-closed", "The match is not closed yet.");
  if (hashes[sheet.place] !== given) {
    refuse("authority", "wrong-result-event", "That is not the event that gave the result.");
  }
  return sheet;
}

function checkSeat(course, seat) {
  if (course.roster.isSeat(seat)) return;
  refuse("authority", "unknown-role", `Nobody sits at ${quotedShort(seat)} here.`);
}
