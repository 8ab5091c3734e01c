/* What the arbiter is about to sign: in words as the record will have it, with the board as it is
   and as it will be. It is bound to the event that was seen; one button signs it. */

import { boardInWords } from "../../page/face/boards.mjs";
import { drawBoard } from "../../page/face/drawing.mjs";
import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { nameOf, resultInWords } from "../hall/spoken.mjs";
import { pressed } from "../table/controls.mjs";
import { boardOfShow } from "../table/shownboard.mjs";

/** A drawing whose title and words have names of their own: several stand on one page. */
export function drawnAs(name, board, turned) {
  const drawing = drawBoard(board, turned);
  drawing.querySelector("title").textContent = name;
  const [title, words] = ["title", "desc"].map((kind) => drawing.querySelector(kind));
  const id = name.toLowerCase().replaceAll(/[^a-z]+/gu, "-");
  title.id = `${id}-title`;
  words.id = `${id}-words`;
  drawing.setAttribute("aria-labelledby", title.id);
  drawing.setAttribute("aria-describedby", words.id);
  return drawing;
}

function boardFigure(key, name, show, turned) {
  const board = boardOfShow(show);
  return element(
    "figure",
    { "data-key": key },
    element("figcaption", {}, name),
    board === null ? element("code", {}, quoted(show.position)) : drawnAs(name, board, turned),
  );
}

/** Whether two boards show the same, markings of the last move apart. */
function looksSame(one, other) {
  if (one.position !== other.position) return false;
  const [before, after] = [one, other].map(boardOfShow);
  return (
    !before ||
    !after ||
    boardInWords({ ...before, last: [] }) === boardInWords({ ...after, last: [] })
  );
}

/** The section of what is proposed: `{title, drafts, expect, yes, rehearsed}`. */
export function proposalShown(sitting) {
  const { proposal, show, busy, turned } = sitting;
  if (!proposal) return null;
  const { title, yes, rehearsed } = proposal;
  const after = rehearsed.show;
  const texts = rehearsed.events.map(({ text }) => element("li", {}, quoted(text)));
  const boards = looksSame(show, after)
    ? element("p", { "data-key": "same" }, "The board stays as it is.")
    : element("div", { class: "boards", "data-key": "boards" }, [
        boardFigure("board-now", "The board as it is", show, turned),
        boardFigure("board-then", "The board as it will be", after, turned),
      ]);
  return element(
    "section",
    {
      class: "proposal",
      "data-key": `proposal-${proposal.number}`,
      "aria-labelledby": "proposal-title",
    },
    element("h2", { id: "proposal-title", tabindex: "-1", "data-key": "proposal-title" }, title),
    element("p", {}, "You sign as the arbiter:"),
    element("ul", { class: "signing" }, texts),
    boards,
    element("p", {}, "Then: ", quoted(after.next), resultThen(show, after)),
    element("div", { class: "row" }, [
      pressed("sign", yes, () => sitting.sign(), { off: busy, kind: "main" }),
      pressed("back", "Back, sign nothing", () => sitting.withdraw(), { off: busy }),
    ]),
  );
}

function resultThen(show, after) {
  const seats = new Map(after.seats.map(({ seat, name }) => [seat, name]));
  const result = JSON.stringify(show.result) === JSON.stringify(after.result) ? null : after.result;
  return result ? [" Result: ", resultInWords(result, (seat) => seats.get(seat)), "."] : [];
}

/** What became of the last act: the event and its hash; or why nothing was stored. */
export function outcomeShown({ outcome, refusal }) {
  return [
    outcome
      ? element(
          "section",
          {
            class: "outcome",
            "data-key": "outcome",
            tabindex: "-1",
            "aria-label": "What was signed",
          },
          element("p", {}, `✓ Event ${outcome.seq} is signed and stored. `, quoted(outcome.text)),
          element("p", {}, "Hash: ", inGroups(outcome.head)),
        )
      : null,
    refusal
      ? element(
          "section",
          {
            ...{ class: "refused", "data-key": "refusal", "data-code": refusal.code || null },
            ...{ tabindex: "-1", "aria-label": "Not signed" },
          },
          element("p", {}, element("strong", {}, refusal.message)),
          refusal.hint ? element("p", {}, quoted(refusal.hint)) : null,
        )
      : null,
  ];
}

/** "Alba (swedes)". */
export function seatInWords(show, seat) {
  const found = show.seats.find((each) => each.seat === seat);
  return found ? [nameOf(found.name), " (", quoted(seat), ")"] : [quoted(seat)];
}

/** The seats that have no key: the arbiter writes for them. */
export function scribedSeats(show) {
  return show.seats.filter(({ keyid }) => keyid === null).map(({ seat }) => seat);
}
