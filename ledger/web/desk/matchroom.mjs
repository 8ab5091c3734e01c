/* A match at the desk, drawn: what waits, the board, what can be signed, what happened. */

import { element, plainWords, quoted } from "../../page/face/elements.mjs";
import { officialsInWords } from "../hall/matchofficials.mjs";
import { nameOf, pairing, put, standingAtFirst, tableInWords } from "../hall/spoken.mjs";
import { boardField, boardLegend } from "../table/boardfield.mjs";
import { redraw } from "../table/redrawing.mjs";
import { correctingField } from "./correctingfield.mjs";
import { deskLog } from "./desklog.mjs";
import { closingField, factsOfMatch, onTheCommandLine } from "./officefield.mjs";
import { refusalToSign, restingField, wordsForTheRecord } from "./officefield.mjs";
import { doneForPlayers, offersStanding } from "./partiesfield.mjs";
import { outcomeShown, proposalShown } from "./proposal.mjs";
import { rulingField } from "./rulingfield.mjs";
import { deskDice, scribeField } from "./scribefield.mjs";

/** Draws a match into the room; what stays the same keeps its place and its focus. */
export function drawMatch(sitting, { room, heading }) {
  const { show } = sitting;
  if (!show) return;
  const title = [
    tableInWords(show.about, show.match),
    ": ",
    pairing(show.seats.map(({ name }) => name)),
  ];
  put(heading, title);
  document.title = `${plainWords(title)} · The arbiter's desk`;
  document.documentElement.dataset.head = show.head;
  document.documentElement.dataset.current = String(!sitting.signs || sitting.current);
  redraw(
    room,
    element(
      "p",
      { class: "next", "data-key": "next" },
      element("b", {}, standingAtFirst(show.phase), ". "),
      quoted(show.next),
    ),
    element("div", { class: "match", "data-key": "match" }, [
      element("div", { class: "news", "data-key": "news" }, news(sitting)),
      element(
        "section",
        { class: "seen", "data-key": "seen", "aria-labelledby": "board-heading" },
        [
          element("h2", { id: "board-heading" }, "The board"),
          boardField(sitting),
          boardLegend(sitting),
          factsOfMatch(sitting),
        ],
      ),
      element(
        "div",
        { class: "acting", "data-key": "acting" },
        mayNotSign(sitting) ?? forms(sitting),
      ),
      deskLog(sitting),
    ]),
  );
  sitting.drawn();
}

/** What was signed, what is about to be, what is disputed. */
function news(sitting) {
  const officials = officialsInWords(sitting.show);
  return [
    outcomeShown(sitting),
    proposalShown(sitting),
    officials.length
      ? element(
          "section",
          { class: "officials", "data-key": "officials", "aria-labelledby": "officials-title" },
          [
            element("h2", { id: "officials-title" }, "Disputes, appeals, penalties"),
            element(
              "ul",
              {},
              officials.map((parts) => element("li", {}, parts)),
            ),
          ],
        )
      : null,
  ];
}

function mayNotSign({ signs, facts, show }) {
  if (!signs)
    return element(
      "p",
      { "data-key": "looks-on" },
      "This server looks on only. To sign here: ",
      element("code", {}, "tabellion serve --key NAME"),
      ".",
    );
  if (facts === null) return element("p", { "data-key": "asks" }, "One moment …");
  if (facts.yours) return null;
  return element(
    "p",
    { class: "warning", "data-key": "not-yours" },
    "The arbiter of this match is ",
    nameOf(show.arbiter),
    ", with another key than the one unlocked here. This page looks on only.",
  );
}

function forms(sitting) {
  const part = (key, title, ...children) =>
    element(
      "section",
      { "data-key": key, "aria-labelledby": `${key}-title` },
      element("h2", { id: `${key}-title` }, title),
      children,
    );
  const scribe = part("scribe", "Write down", [
    deskDice(sitting),
    scribeField(sitting),
    offersStanding(sitting),
    doneForPlayers(sitting),
  ]);
  const office = part("office", "Decide", [
    rulingField(sitting),
    restingField(sitting),
    refusalToSign(sitting),
    wordsForTheRecord(sitting),
    onTheCommandLine(sitting),
  ]);
  const disputed = sitting.show.phase === "disputed";
  return [
    closingField(sitting),
    correctingField(sitting),
    disputed ? [office, scribe] : [scribe, office],
  ];
}
