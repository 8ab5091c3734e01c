/* The board of the table: the drawing, the places to tap over it, what the letters mean. */

import { countsInWords, legendOf } from "../../page/face/boards.mjs";
import { drawBoard, drawDice } from "../../page/face/drawing.mjs";
import { element, quoted } from "../../page/face/elements.mjs";
import { placeInWords, placesOver } from "./boardplaces.mjs";
import { folded, pressed } from "./controls.mjs";
import { leftAsItIs } from "./redrawing.mjs";
import { boardOfShow } from "./shownboard.mjs";

const KEYS_OF_BOARD =
  "Keys at the board: the arrows go from place to place, Enter picks a piece up and puts it " +
  "down, Escape puts it back.";

export function boardField(sitting) {
  const { hand, show } = sitting;
  const standing = boardOfShow(show);
  if (standing === null) return element("p", { "data-key": "board" }, "No board has come yet.");
  const { steps, picked, own } = hand;
  const { turned, cursor } = sitting;
  const listed = own.length ? hand.moves.seq : null;
  const seen = JSON.stringify([show.board, show.dice, steps, picked, turned, cursor, listed]);
  const there = sitting.room.querySelector(".field");
  if (there && sitting.boardSeen === seen) return leftAsItIs("div", "board");
  sitting.boardSeen = seen;
  const board = hand.board(standing);
  const drawing = drawBoard(board, sitting.turned);
  const choosable = hand.choosable();
  const counts = countsInWords(standing);
  const places = placesOver(drawing, board, {
    ...{ seat: hand.seat, picked: hand.picked, choosable, cursor: sitting.cursor },
    choose: (place) => chooseOnBoard(sitting, place, board),
    moveTo: (place) => sitting.moveCursor(place),
  });
  const made = element("div", { class: "field", "data-key": "board" }, [
    diceShown(sitting),
    element("div", { class: "tapped" }, drawing, places),
    counts.length ? element("p", { class: "counts" }, counts.join(" ")) : null,
  ]);
  made.onkeydown = (event) => {
    if (event.key !== "Escape" || (hand.picked === null && !hand.steps.length)) return;
    if (hand.picked === null) hand.undo();
    else hand.picked = null;
    sitting.draw();
  };
  return made;
}

function chooseOnBoard(sitting, place, board) {
  if (sitting.question) return;
  const { hand } = sitting;
  sitting.refusal = null;
  const done = hand.choose(place);
  sitting.cursor = place;
  sitting.draw();
  const where = placeInWords(board, place);
  if (done === "picked") {
    const targets = [...hand.choosable().targets.keys()];
    const named = targets.map((each) => placeInWords(board, each)).join(", ");
    sitting.say(`${where} picked up. It can move to ${named}.`);
  } else if (done === "moved") {
    const more = hand.finished.length ? "Sign it below, or undo." : "There is more to move.";
    sitting.say(`Moved to ${where}. ${more}`);
  } else if (done === "put back") sitting.say("Put back.");
}

/** The dice to be played: drawn and in words; what is left of them while steps are made. */
function diceShown({ hand, show }) {
  const { dice } = show;
  if (!dice.length) return null;
  const left = hand.diceLeft(dice);
  const shown = left ?? dice;
  const words = left ? "Dice left: " : "Dice: ";
  return element("p", { class: "lying", "data-key": "dice" }, [
    shown.length ? drawDice(shown) : null,
    element("span", {}, words, element("strong", {}, shown.join("-") || "none")),
  ]);
}

/** What the letters mean, what is counted, and the board from the other side. */
export function boardLegend(sitting) {
  const { show } = sitting;
  const board = boardOfShow(show);
  if (board === null) return null;
  const words = legendOf(board).flatMap(({ sign, meaning }) => [
    element("div", {}, element("dt", {}, quoted(sign)), element("dd", {}, quoted(meaning))),
  ]);
  return folded(
    "legend",
    "The board: letters, keys, turning it",
    element("dl", { class: "legend" }, words),
    element("p", {}, "Position: ", element("code", {}, quoted(show.position))),
    element("p", { id: "board-keys" }, KEYS_OF_BOARD),
    pressed("turn", "Turn the board", () => sitting.turnBoard()),
  );
}
