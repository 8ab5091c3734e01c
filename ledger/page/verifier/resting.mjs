/* Adjourned and resumed, with a move that was sealed meanwhile; design, section 3. */

import { actingSeat, checkPlaying, leaveGame, phaseOf, placeOfNext } from "./course.mjs";
import { sealOf } from "./dice.mjs";
import { ARBITER } from "./roster.mjs";
import { endGame } from "./offers.mjs";
import { refuse } from "./refusal.mjs";

export function adjournGame(course, event) {
  const { data } = event;
  const seat = actingSeat(event);
  if (seat !== ARBITER) return sealMove(course, seat, data);
  if (data.sealed !== undefined) {
    refuse("authority", "wrong-role", "The seat to move seals its move, not the arbiter.");
  }
  checkPlaying(course);
  if (course.rolling.flight || course.rolling.recorded) {
    refuse("dice", "dice-on-board", "The game is adjourned before dice are thrown, not after.");
  }
  if (course.sealed) refuse("dice", "sealed-move", "The sealed move is played first.");
  course.offers = [];
  course.adjourned = true;
  leaveGame(course);
}

function sealMove(course, seat, data) {
  if (data.sealed === undefined || data.until !== undefined) {
    refuse("authority", "wrong-role", "Only the arbiter adjourns; a seat seals a move.");
  }
  if (phaseOf(course) !== "adjourned") {
    checkPlaying(course);
    refuse("authority", "not-adjourned", "The arbiter adjourns before a move is sealed.");
  }
  if (course.game.dice) refuse("dice", "dice-on-board", "In a game with dice no move is sealed.");
  if (course.sealed) refuse("authority", "sealed-already", "A move is sealed already.");
  course.sealed = { place: placeOfNext(course), seat, hash: data.sealed, text: null };
  leaveGame(course);
}

export async function resumeGame(course, event, hash) {
  const { opened } = event.data;
  const seat = actingSeat(event);
  if (phaseOf(course) !== "adjourned") {
    if (course.sheet) refuse("authority", "match-closed", "The match is closed.");
    refuse("authority", "not-adjourned", "The game is not adjourned.");
  }
  if (opened !== undefined) return openSeal(course, seat, opened, hash);
  if (seat !== ARBITER) {
    refuse("authority", "wrong-role", "The arbiter resumes; a seat opens the move it sealed.");
  }
  course.adjourned = false;
  if (!course.sealed) return leaveGame(course);
  const winner = course.roster.opposite(course.sealed.seat);
  course.sealed = null;
  if (course.opening.sealed_move_unopened === "loses") {
    return endGame(course, { kind: "forfeit", how: "sealed_move", winner });
  }
  course.dispute = { hash, settled: new Set() };
  leaveGame(course);
}

/** A sealed move is opened. Whether it is legal takes the rules: if not, its side has lost, or that
is disputed from here on. */
async function openSeal(course, seat, { move, nonce }, hash) {
  const { sealed, roster } = course;
  if (!sealed || seat !== sealed.seat) {
    refuse("dice", "no-seal", "No move of this seat is sealed.");
  }
  const number = roster.seats.indexOf(seat);
  if ((await sealOf(course.match, sealed.place, number, nonce, move)) !== sealed.hash) {
    refuse("dice", "wrong-seal", `This is not the move that event ${sealed.place} sealed.`);
  }
  course.adjourned = false;
  sealed.text = move;
  course.perhapsDisputed = hash;
  leaveGame(course, null);
}

/** After a sealed move was read it is the one that is played. */
export function checkSealed(course, event) {
  const text = course.sealed?.text ?? null;
  if (text !== null && (event.type !== "move" || event.data.move !== text)) {
    refuse("dice", "sealed-move", "The sealed move is played first.");
  }
  course.sealed = null;
  course.perhapsDisputed = null;
}
