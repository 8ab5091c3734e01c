/* Rulings and what is decided on appeal: one effect on the game at most, penalties beside it. */

import { changeGame, lastMoment, leaveGame, placeOfNext, presentLine, returnTo, ruledOnGame } from "./course.mjs";
import { isBegun, turnIn } from "./games.mjs";
import { APPEAL, ARBITER } from "./roster.mjs";
import { checkDiced, checkNamed, checkRollNumber, contributorsOf, fallDice, giveUpRoll, layDice, nextRoll } from "./rolls.mjs";
import { rewindGame } from "./rewinds.mjs";
import { quotedShort, refuse } from "./refusal.mjs";


export function ruleOn(course, event) {
  const dismisses = event.data.effects.some(({ effect }) => effect === "dismiss");
  if (dismisses && !course.dispute && !course.perhapsDisputed) {
    refuse("authority", "nothing-to-dismiss", "No dispute is open that could be dismissed.");
  }
  takeEffect(course, event);
  Object.assign(course, { dispute: null, perhapsDisputed: null });
}

export function decideAppeal(course, event) {
  const open = course.appeals.find((each) => !each.decided && each.hash === event.data.appeal);
  takeEffect(course, event);
  if (!open) refuse("authority", "no-such-appeal", "No appeal waits that this could decide.");
  open.decided = true;
  const { against } = open;
  if (against.type === "match.closed" || ruledOnGame(against)) course.resultOnAppeal = true;
}

function takeEffect(course, event) {
  const { effects } = event.data;
  const penalties = effects.filter(({ effect }) => effect === "penalty");
  const withdrawn = effects.filter(({ effect }) => effect === "withdraw");
  const others = effects.filter(({ effect }) => !["penalty", "withdraw"].includes(effect));
  if (others.length > 1) {
    refuse("authority", "effects-clash", "A ruling does one thing to the game, penalties apart.");
  }
  checkLostGames(penalties, others[0]);
  const stray = penalties.find(({ seat }) => !course.roster.isSeat(seat));
  if (stray) refuse("authority", "unknown-role", `Nobody sits at ${quotedShort(stray.seat)} here.`);
  const place = placeOfNext(course);
  if (others.length) actOnGame(course, event, others[0]);
  else leaveGame(course);
  withdrawPenalties(course, event, withdrawn);
  const onAppeal = event.by === APPEAL;
  course.penalties.push(...penalties.map(() => ({ event: place, onAppeal, withdrawn: false })));
}

function actOnGame(course, event, given) {
  if (course.sheet && !["dismiss", "result"].includes(given.effect)) {
    refuse("authority", "match-closed", "The match is closed: only its result can be changed.");
  }
  if (event.by === ARBITER) checkNotDecided(course, given);
  switch (given.effect) {
    case "rewind":
      return rewindGame(course, given.to, given.dice);
    case "position":
      return setPosition(course, given.position);
    case "result":
      return giveResult(course, event, given);
    case "award":
      return awardRoll(course, given);
    case "contributors":
      return nameContributors(course, given);
    default:
      return leaveGame(course);
  }
}

/** The arbiter does not undo what was decided on appeal. */
function checkNotDecided(course, given) {
  const { events, sheet } = course;
  const results = sheet ? course.resultOnAppeal : lastMoment(course).result?.how === "appeal";
  const changed = ["result", "position"].includes(given.effect) && results;
  const back =
    given.effect === "rewind" &&
    course.appeals.some(({ decided }) => decided) &&
    [...presentLine(course)].some(
      (seq) => seq > given.to && events[seq].type === "appeal.decided" && ruledOnGame(events[seq]),
    );
  if (changed || back) {
    refuse("authority", "decided-on-appeal", "The arbiter does not undo what an appeal decided.");
  }
}

/** A game that is lost as a penalty is lost by a result. */
function checkLostGames(penalties, other) {
  for (const { penalty, seat } of penalties) {
    if (penalty === "game_lost" && (other?.effect !== "result" || other.winner === seat)) {
      const what = `A game lost as a penalty needs the result too: ${quotedShort(seat)} has lost.`;
      refuse("authority", "effects-clash", what);
    }
  }
}

function withdrawPenalties(course, event, withdrawn) {
  for (const { ruling } of withdrawn) {
    const named = course.penalties.filter((each) => each.event === ruling);
    const standing = named.filter((each) => !each.withdrawn);
    if (event.by === ARBITER && standing.some((each) => each.onAppeal)) {
      refuse("authority", "decided-on-appeal", "That penalty was given on appeal.");
    }
    const again = named.some((each) => each.withdrawn === event);
    if (!standing.length && !again) {
      refuse("authority", "no-such-penalty", `Event ${ruling} gave no penalty that still counts.`);
    }
    for (const each of standing) each.withdrawn = event;
  }
}

/** Only what the text says without the rules: whether it is decided who begins, and the turn. */
function setPosition(course, text) {
  layDice(course);
  Object.assign(course, { offers: [], sealed: null });
  changeGame(course, { result: null, decided: isBegun(text), turn: turnIn(course.game, text) });
}

function giveResult(course, event, { kind, winner = null }) {
  if (["win", "forfeit"].includes(kind) !== (winner !== null)) {
    const what = "A win and a forfeit have a winner, other results have none.";
    refuse("authority", "bad-result", what);
  }
  if (winner !== null && !course.roster.isSeat(winner)) {
    refuse("authority", "unknown-role", `Nobody sits at ${quotedShort(winner)} here.`);
  }
  const result = { kind, how: event.type === "ruling" ? "ruling" : "appeal", winner };
  if (course.sheet) {
    course.sheet = newSheet(placeOfNext(course));
    return leaveGame(course);
  }
  layDice(course);
  Object.assign(course, { offers: [], sealed: null, adjourned: false });
  leaveGame(course, true);
  lastMoment(course).result = result;
}

/** A result of a closed match, by the event that gave it, and who put their name to it. */
export function newSheet(place) {
  return { place, signed: new Set(), forAbsent: new Map(), refused: new Set() };
}

function awardRoll(course, { roll: number, dice }) {
  checkDiced(course);
  const { flight } = course.rolling;
  if (!flight) refuse("dice", "no-flight", "No roll is in flight that could be awarded.");
  checkRollNumber(course, number);
  giveUpRoll(course);
  course.offers = [];
  flight.roll.how = "awarded";
  fallDice(course, flight.roll, dice);
}

function nameContributors(course, { roll, contributors }) {
  const { rolling } = course;
  checkDiced(course);
  if (!contributorsOf(course).length) {
    refuse("dice", "dice-on-table", "The dice lie on the table: nobody makes them.");
  }
  checkRollNumber(course, roll);
  checkNamed(contributors, course.roster);
  const thrown = rolling.flight?.roll.thrown;
  if (thrown === undefined) {
    nextRoll(rolling);
    Object.assign(rolling, { bound: new Map(), coming: new Map(), named: contributors });
    leaveGame(course);
  } else {
    giveUpRoll(course);
    rolling.bound = new Map([...rolling.bound].filter(([role]) => contributors.includes(role)));
    rolling.named = contributors;
    returnTo(course, course.moments[thrown].before);
  }
  course.offers = [];
}
