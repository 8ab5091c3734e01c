/* The course of a match: which events count, what was taken back, where the match stands.

A moment is the game after an event. This page has no rules of the games, so a moment holds what can
be known without them: which event's moment it followed, whether the event acted on the game, a
result that the players or a ruling gave, and whether the opening roll has decided who begins.
*/

import { ARBITER } from "./roster.mjs";
import { refuse } from "./refusal.mjs";

const ON_THE_GAME = ["rewind", "position", "result", "award"];
const FIRST_MOMENT = {
  ...{ before: 0, acted: false, board: 0, result: null },
  ...{ decided: false, turn: null, running: false },
};

/** The match after its opening. */
export function beginCourse(match, opening, game, roster) {
  return {
    ...{ match, opening, game, roster },
    events: [opening],
    hashes: [match],
    moments: [FIRST_MOMENT],
    accepted: new Set(),
    putIn: new Set(),
    rolling: {
      ...{ number: 1, bound: new Map(), coming: new Map(), spoiled: false, flight: null },
      ...{ recorded: null, voiding: null, named: null, rolls: [], published: new Set() },
    },
    ...{ offers: [], dispute: null, appeals: [], penalties: [] },
    ...{ adjourned: false, sealed: null, perhapsDisputed: null },
    ...{ sheet: null, resultOnAppeal: false },
  };
}

export function lastMoment(course) {
  return course.moments[course.moments.length - 1];
}

/** The number of the event that is being judged. */
export function placeOfNext(course) {
  return course.moments.length;
}

/** The game goes on as it was. */
export function leaveGame(course, acted = false) {
  addMoment(course, { ...lastMoment(course), before: course.moments.length - 1, acted });
}

/** The event changes the game. */
export function changeGame(course, changes = {}) {
  const board = course.moments.length;
  addMoment(course, { ...lastMoment(course), before: board - 1, acted: true, board, ...changes });
}

/** The game stands as after event `seq`. */
export function returnTo(course, seq) {
  addMoment(course, { ...course.moments[seq], before: seq, acted: false });
}

function addMoment(course, moment) {
  course.moments.push(moment);
}

/** The events whose moments lead to that of event `seq`. */
export function lineTo(course, seq) {
  const found = new Set();
  for (let place = seq; place > 0; place = course.moments[place].before) found.add(place);
  return found;
}

export function presentLine(course) {
  return lineTo(course, course.moments.length - 1);
}

/** Every act and every ruling on the game that was taken back and still is, with the event that did
it. */
export function supersededActs({ moments, events }) {
  const found = new Map();
  const acted = (number) => moments[number].acted || ruledOnGame(events[number]);
  moments.forEach((moment, number) => {
    let [old, now] = [number - 1, moment.before];
    while (number && old !== now) {
      if (old > now) {
        if (acted(old)) found.set(old, number);
        old = moments[old].before;
      } else {
        found.delete(now);
        now = moments[now].before;
      }
    }
  });
  return new Map([...found].sort(([one], [other]) => one - other));
}

/** Whether an event ruled on the game itself. */
export function ruledOnGame(event) {
  const { type, data } = event;
  if (type !== "ruling" && type !== "appeal.decided") return false;
  return data.effects.some(({ effect }) => ON_THE_GAME.includes(effect));
}

/** The seat whose act an event is, whoever wrote it down. */
export function actingSeat(event) {
  return event.for ?? event.by;
}

/** The roles that play waits for: seats that have not accepted with their key, a new arbiter. */
export function notAccepted(course) {
  const { roster, accepted, putIn } = course;
  const seats = roster.seats.filter((seat) => roster.holder(seat).key && !accepted.has(seat));
  return putIn.has(ARBITER) ? [ARBITER, ...seats] : seats;
}

/** Where the match stands, as far as that can be known without the rules of the game. */
export function phaseOf(course) {
  if (course.dispute) return "disputed";
  if (course.sheet) return "closed";
  if (lastMoment(course).result) return "ended";
  if (course.adjourned) return "adjourned";
  return notAccepted(course).length ? "waiting" : "playing";
}

const HELD_UP = {
  disputed: ["disputed", "An event is disputed: nothing goes on before that is decided."],
  closed: ["match-closed", "The match is closed."],
  ended: ["game-over", "The game is over."],
  adjourned: ["adjourned", "The game is adjourned and was not resumed."],
};

/** Refuses what is only done while the game is played. */
export function checkPlaying(course) {
  const phase = phaseOf(course);
  if (phase === "playing") return;
  if (phase === "waiting") {
    const missing = notAccepted(course).join(" and ");
    const what = `The match was not accepted yet with the key of ${missing}.`;
    refuse("authority", "not-accepted", what);
  }
  refuse("authority", ...HELD_UP[phase]);
}

/** Whether anything was done in the game yet. */
export function underWay(course) {
  return course.moments.some((moment) => moment.acted);
}
