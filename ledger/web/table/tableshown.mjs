/* The table as it is shown: the board first, what can be done now within reach of the thumb below it,
   everything else folded beneath. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { phaseOf } from "../../page/verifier/course.mjs";
import { howToMove, moveToSign, otherActs, typedMove } from "./actsfield.mjs";
import { agreeing, mustAccept, termsOfMatch } from "./agreeing.mjs";
import { boardField, boardLegend } from "./boardfield.mjs";
import { answerShown, faultBox } from "./conditions.mjs";
import { folded, foldedUntilAsked, pressed } from "./controls.mjs";
import { diceField, voidingField } from "./dicefield.mjs";
import { disputing, openDispute } from "./disputefield.mjs";
import { endField } from "./endfield.mjs";
import { heldAct, lapsedActs, onTheWay } from "./keptfield.mjs";
import { lastWord } from "./lastword.mjs";
import { logField } from "./logfield.mjs";
import { offering, standingOffers } from "./offersfield.mjs";
import { questionShown } from "./question.mjs";
import { redraw } from "./redrawing.mjs";
import { restField, rests, sealedToPlay } from "./restfield.mjs";
import { holderInWords, serversWords, termsInWords } from "./sayings.mjs";

const NO_SEAT =
  "The key of this phone has no seat in this match. You can watch; the arbiter can give this phone " +
  "a seat.";
const SEAT_GIVEN_AWAY =
  "The arbiter has put another key in the place of this phone's: it signs nothing here any more. " +
  "You can watch.";
const READING = "The match is being read and checked …";

export function drawTable(sitting) {
  const { following, room } = sitting;
  if (!following.course) {
    const words = following.fault ? "" : READING;
    redraw(room, [
      faultBox(sitting),
      element("p", { "data-key": "reading" }, words),
      wayBack(sitting),
    ]);
    return;
  }
  const accepting = mustAccept(following);
  redraw(room, [
    faultBox(sitting),
    element("p", { class: "standing", "data-key": "standing" }, standingInWords(sitting)),
    lastWord(sitting),
    openDispute(sitting),
    accepting ? null : boardField(sitting),
    element(
      "div",
      { class: "now", "data-key": "now", tabindex: "-1" },
      doneNow(sitting, accepting),
    ),
    heldAct(sitting),
    lapsedActs(sitting),
    onTheWay(sitting),
    endField(sitting),
    remarksShown(sitting),
    beneath(sitting, accepting),
  ]);
}

/** Whom the match waits for, as the server tells it; what is this phone's stands first. */
function standingInWords({ following, show, announcer }) {
  if (!show) return "…";
  const own = announcer.due ? element("strong", {}, `${announcer.due}. `) : null;
  const next = following.fault ? "" : serversWords(show.next, following.course.roster.seats);
  return [own, offersToAnswer(following), diceUnbroken(next)];
}

/** An offer waits for an answer beside the turn. */
function offersToAnswer({ course, mine, fault }) {
  if (fault || !course.roster.isSeat(mine) || phaseOf(course) !== "playing") return null;
  return course.offers
    .filter(({ seat }) => seat !== mine)
    .map(({ seat, terms }) =>
      element(
        "strong",
        {},
        ["You are asked: ", holderInWords(course, seat), " offers "],
        [termsInWords(course, terms), ". "],
      ),
    );
}

/** Dice in a sentence stay in one line. */
function diceUnbroken(sentence) {
  return sentence
    .split(/([1-6](?:-[1-6])+)/)
    .map((part, place) =>
      place % 2 ? element("span", { class: "unbroken" }, part) : quoted(part),
    );
}

function doneNow(sitting, accepting) {
  const { following, question, refusal, notice } = sitting;
  const said = [
    refusal ? answerShown("refusal", refusal) : null,
    notice ? element("p", { class: "notice", "data-key": "notice" }, notice) : null,
  ];
  if (following.fault) return said;
  if (question) return [questionShown(sitting), said];
  if (accepting) return [agreeing(sitting), said];
  if (following.mine === null) {
    const had = following.course.roster.everHeld.has(following.keys.line);
    return [element("p", { class: "warning" }, had ? SEAT_GIVEN_AWAY : NO_SEAT), said];
  }
  if (rests(following)) return [said, restField(sitting)];
  return [said, sealedToPlay(sitting) ?? inPlay(sitting)];
}

function inPlay(sitting) {
  return [
    howToMove(sitting),
    moveToSign(sitting),
    standingOffers(sitting),
    diceField(sitting),
    otherActs(sitting),
    typedMove(sitting),
  ];
}

/** What the rules have to say; how offers are answered on a command line is left out. */
function remarksShown({ following, show }) {
  const { length: offered } = show?.offers ?? [];
  const asked = following.course.rolling.voiding ? 1 : 0;
  const game = (show?.remarks ?? []).slice(0, -(offered + asked) || undefined);
  const breaches = (show?.breaches ?? []).map(({ seq, text }) => `Event ${seq}: ${text}.`);
  const words = [show?.news, ...game, ...breaches].filter(Boolean);
  if (!words.length) return null;
  const { seats } = following.course.roster;
  const lines = words.map((each) => element("li", {}, quoted(serversWords(each, seats))));
  return element("ul", { class: "remarks", "data-key": "remarks" }, lines);
}

function beneath(sitting, accepting) {
  const { following, keys } = sitting;
  const sits = following.mine !== null && !following.fault && !accepting;
  return element("div", { class: "beneath", "data-key": "beneath" }, [
    sits ? [offering(sitting), voidingField(sitting), disputing(sitting)] : null,
    logField(sitting),
    boardLegend(sitting),
    accepting
      ? null
      : foldedUntilAsked(sitting, "terms-of", "What was agreed to", () => termsOfMatch(sitting)),
    folded("key", "This phone's key, this match", [
      element("p", {}, "This phone's key: SHA256:", inGroups(keys.keyid.slice(7))),
      element("p", {}, "Match: ", inGroups(following.match)),
      element("p", {}, `Last event: ${following.seq}, `, inGroups(following.head ?? "")),
    ]),
    wayBack(sitting),
  ]);
}

function wayBack(sitting) {
  const button = pressed("leave", "All my matches", () => sitting.leave());
  return element("p", { "data-key": "ways" }, button);
}
