/* Disputes, what is said in them, and appeals; design, section 3. */

import { leaveGame, phaseOf, placeOfNext, underWay } from "./course.mjs";
import { APPEAL } from "./roster.mjs";
import { refuse } from "./refusal.mjs";

const GOES_ON = [
  ...["roll.opened", "statement", "dispute.settled", "ruling", "key.replaced"],
  ...["arbiter.replaced", "seat.accepted", "note"],
];

/** Refuses what an open dispute holds up. */
export function checkFrozen(course, event) {
  if (!course.dispute || GOES_ON.includes(event.type)) return;
  refuse("authority", "disputed", "An event is disputed: nothing goes on before that is decided.");
}

export function raiseDispute(course, event, hash) {
  if (course.sheet) {
    refuse("authority", "match-closed", "The match is closed: nothing is disputed any more.");
  }
  if (phaseOf(course) === "waiting" && !underWay(course)) {
    refuse("authority", "not-accepted", "Nothing is disputed before all have accepted.");
  }
  if (event.data.event >= placeOfNext(course)) {
    const what = `There is no event ${event.data.event} yet that could be disputed.`;
    refuse("authority", "no-such-event", what);
  }
  leaveGame(course);
  course.dispute = { hash, settled: new Set() };
}

export function makeStatement(course, event) {
  const { about } = event.data;
  const open = [course.dispute?.hash, course.perhapsDisputed];
  const appealed = course.appeals.some((each) => !each.decided && each.hash === about);
  if (!open.includes(about) && !appealed) {
    refuse("authority", "nothing-at-issue", "A statement is about an open dispute or appeal.");
  }
  leaveGame(course);
}

export function settleDispute(course, event) {
  const { dispute: hash } = event.data;
  const { roster, opening, perhapsDisputed } = course;
  const dispute = course.dispute ?? { hash: perhapsDisputed, settled: new Set() };
  if (dispute.hash !== hash) {
    refuse("authority", "no-such-dispute", "No dispute is open that this could settle.");
  }
  if (!opening.settlements) {
    refuse("authority", "no-settlements", "This match was opened without settlements.");
  }
  const keyless = roster.seats.find((seat) => !roster.holder(seat).key);
  if (keyless) {
    refuse("authority", "keyless-settlement", `${keyless} has no key: nobody settles for them.`);
  }
  if (dispute.settled.has(event.by)) {
    refuse("authority", "settled-already", `${event.by} has agreed to that already.`);
  }
  dispute.settled.add(event.by);
  const both = roster.seats.every((seat) => dispute.settled.has(seat));
  course.dispute = both ? null : dispute;
  course.perhapsDisputed = null;
  leaveGame(course);
}

export function raiseAppeal(course, event, hash) {
  const { against } = event.data;
  if (!course.roster.holder(APPEAL)) {
    refuse("authority", "no-appeal", "This match was opened without anybody who decides appeals.");
  }
  const found = course.events[course.hashes.indexOf(against)];
  if (!["ruling", "match.closed"].includes(found?.type)) {
    refuse("authority", "not-appealable", "An appeal is against a ruling or the closing.");
  }
  if (course.appeals.some((each) => each.against === found)) {
    refuse("authority", "appealed-already", "That is, or was, under appeal already.");
  }
  course.appeals.push({ hash, against: found, decided: false });
  leaveGame(course);
}
