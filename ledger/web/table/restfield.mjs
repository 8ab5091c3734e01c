/* A game that rests: who goes on with it; a move that is sealed until then, and opened. While it is
   sealed nobody is told which one it is, the server least of all: what is typed is read here. */

import { element, quoted } from "../../page/face/elements.mjs";
import { phaseOf } from "../../page/verifier/course.mjs";
import { act } from "../phone/acting.mjs";
import { Answer } from "../phone/answer.mjs";
import { maySeal, openSealed, putUnderSeal, sealedHere } from "../phone/sealing.mjs";
import { howToMove, inHand } from "./actsfield.mjs";
import { filledIn, folded, labelled, pressed } from "./controls.mjs";
import { holderInWords } from "./sayings.mjs";

const NOBODY_SEES =
  "Nobody sees it before you open it, and it is the move that you play then. It can be opened " +
  "with this phone alone.";
const ON_PAPER =
  "Or write the move on paper and give it to the arbiter in an envelope; it is played when the " +
  "game goes on.";
const NOT_LISTED =
  "This page does not know the legal moves now, because it was not open when you were to move; a " +
  "move that nobody checks could cost the game. If it is your turn and you want to seal a move, " +
  "ask the arbiter to resume the game and to adjourn it again while this page is open.";
const COSTS = new Map([
  ["loses", "if it stays unopened, you lose the game"],
  ["ruling", "if it stays unopened, the arbiter rules on it"],
]);
const SEALED_ELSEWHERE =
  "The move was sealed with another phone or computer, and can be opened with that one alone. If " +
  "it is lost, tell the arbiter, who can resume the game without it: ";

export function rests({ course }) {
  return phaseOf(course) === "adjourned";
}

/** What this phone can do while the game rests; who goes on with it is said above the board. */
export function restField(sitting) {
  const { course, mine } = sitting.following;
  if (course.sealed) return course.sealed.seat === mine ? ownSeal(sitting) : null;
  return maySeal(course) && course.roster.isSeat(mine) ? sealing(sitting) : null;
}

/** Who breaks a game off, for players who look for it. */
export function adjourning({ course }) {
  const then = course.game.dice ? "" : " Whoever is to move can seal a move then, on this page.";
  return element(
    "p",
    {},
    "To break the game off for a while, ask the arbiter, ",
    holderInWords(course, "arbiter"),
    ": nobody else can adjourn it.",
    then,
  );
}

function sealing(sitting) {
  const { hand } = sitting;
  if (!hand.current) return null;
  const { turn } = hand.moves;
  if (turn === null) return element("p", { "data-key": "unlisted" }, NOT_LISTED);
  const { course, mine } = sitting.following;
  if (turn !== mine) {
    return element("p", { "data-key": "seals" }, holderInWords(course, turn), " may seal a move.");
  }
  return [
    element("p", { "data-key": "seals" }, `You are to move: you may seal your move now. ${ON_PAPER}`),
    howToMove(sitting),
    stepsToSeal(sitting),
    typedToSeal(sitting),
  ];
}

function stepsToSeal(sitting) {
  const ask = (action) => askToSeal(sitting, action);
  return inHand(sitting, { name: "seal", begins: "Not sealed yet", does: "Seal", more: " …", ask });
}

function askToSeal(sitting, { text, typed }, form = null) {
  const { following } = sitting;
  const { head, course } = following;
  const costs = COSTS.get(course.opening.sealed_move_unopened);
  sitting.ask({
    title: "Seal this move?",
    words: [
      element("strong", {}, quoted(typed)),
      `. ${NOBODY_SEES} What was agreed: ${costs}.`,
    ],
    yes: ["Seal ", quoted(typed)],
    sign: { task: () => putUnderSeal(following, text, head), fits: () => following.head === head },
    form,
  });
}

function plain(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function typedToSeal(sitting) {
  const field = element("input", {
    ...{ name: "sealing", id: "field-sealing", autocomplete: "off", autocapitalize: "none" },
    ...{ spellcheck: "false", maxlength: "200", enterkeyhint: "done" },
  });
  const send = (form) => {
    const typed = plain(form.elements.sealing.value);
    const meant = sitting.hand.own.filter(({ text }) => plain(text) === typed);
    if (meant.length === 1) return askToSeal(sitting, meant[0], form);
    sitting.refuse(new Answer("no-such-move", "What you typed is none of your legal moves."));
  };
  const label = labelled("sealing", "Or type it as it is written in this game", field);
  return filledIn("to-seal", "Seal it …", send, { off: sitting.busy }, label);
}

/** The move that this seat has sealed, folded away from whoever looks on. */
function ownSeal(sitting) {
  const { following, busy } = sitting;
  const { hash } = following.course.sealed;
  if (sitting.sealLooked?.hash !== hash) lookForSeal(sitting, hash);
  const { row } = sitting.sealLooked;
  if (row === undefined) return null;
  if (row === null) {
    const arbiter = holderInWords(following.course, "arbiter");
    return element("p", { "data-key": `seal-${hash}` }, SEALED_ELSEWHERE, arbiter, ".");
  }
  const ask = () =>
    sitting.ask({
      title: "Open the sealed move?",
      words: [
        element("strong", {}, quoted(row.move)),
        " is read by everybody and played: the game goes on. Do that when both sides are there.",
      ],
      yes: ["Open and play ", quoted(row.move)],
      sign: {
        task: () => openSealed(following, following.head),
        fits: () => rests(following) && following.course.sealed?.hash === hash,
      },
    });
  const named = { class: "offer", "aria-label": "A seal" };
  return element("section", { ...named, "data-key": `seal-${hash}` }, [
    element("p", {}, "You have sealed a move. Opening it goes on with the game."),
    pressed("open-seal", "Open the sealed move …", ask, { off: busy, kind: "main" }),
    folded("what-is-sealed", "What I have sealed", element("p", {}, quoted(row.move))),
  ]);
}

async function lookForSeal(sitting, hash) {
  const looked = { hash, row: undefined };
  sitting.sealLooked = looked;
  looked.row = (await sitting.tried(() => sealedHere(sitting.following))) ?? null;
  if (sitting.sealLooked === looked) sitting.draw();
}

/** A sealed move that was read and is not played yet: no other is. Null where there is none. */
export function sealedToPlay(sitting) {
  const { following, busy } = sitting;
  const { course, mine, head } = following;
  const move = course.sealed?.text ?? null;
  if (move === null || phaseOf(course) !== "playing") return null;
  if (course.sealed.seat !== mine) return [];
  const play = () => sitting.signing(() => act(following, { type: "move", data: { move } }, head));
  return [
    element("p", { "data-key": "sealed-first" }, "The move that was sealed is played first."),
    pressed(`sealed-${move}`, ["Sign ", quoted(move)], play, { off: busy, kind: "main huge" }),
  ];
}
