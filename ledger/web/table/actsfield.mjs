/* What can be done now in the game itself: sign the move on the board, the other acts as the game
   calls them, and moves by their notation. */

import { element, quoted } from "../../page/face/elements.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered, askFor } from "../phone/asking.mjs";
import { chosenFrom, filledIn, labelled, pressed } from "./controls.mjs";

const FEW = 8;
const DATA_NAMES = new Map([
  ["move", "move"],
  ["pull", "pull"],
  ["call", "call"],
]);

/** The event of an action: its type and what it says. */
export function draftOf({ kind, text, dice }) {
  const name = DATA_NAMES.get(kind);
  const data = name ? { [name]: text } : {};
  if (kind === "move" && dice.length) data.dice = dice;
  return { type: kind, data };
}

function askToSign(sitting, action, form = null) {
  const dice = action.dice.length ? `, with the dice ${action.dice.join("-")} in this order` : "";
  sitting.ask({
    title: "Sign this?",
    words: ["Your act: ", element("strong", {}, quoted(action.typed)), `${dice}.`],
    yes: ["Sign ", quoted(action.typed)],
    draft: draftOf(action),
    form,
  });
}

/** The move that is being made on the board. Whoever writes for others is asked before it is
    signed. */
export function moveInHand(sitting) {
  const ask = (action) => askToSign(sitting, action);
  return inHand(sitting, { name: "move", begins: "Not signed yet", does: "Sign", more: " …", ask });
}

/** The same for the player: the move is seen on the board, so its button signs at once, for the
    event that is shown with it. */
export function moveToSign(sitting) {
  const { head } = sitting.following;
  const ask = (action) => sitting.signNow(draftOf(action), head);
  return inHand(sitting, { name: "move", begins: "Not signed yet", does: "Sign", more: "", ask });
}

/** The steps that were made, what is done with them, and the way back. */
export function inHand(sitting, { name, begins, does, more, ask }) {
  const { hand, busy } = sitting;
  if (!hand.steps.length) return null;
  const { finished } = hand;
  const steps = hand.steps.map(([from, to]) => `${from} to ${to}`).join(", ");
  const ready = finished.map((action) =>
    pressed(
      `${name}-${action.text}`,
      [`${does} `, quoted(action.typed), more],
      () => ask(action),
      { off: busy, kind: "main" },
    ),
  );
  const undo = pressed("undo", "Undo the last step", () => {
    hand.undo();
    sitting.draw();
    sitting.say("The last step is undone.");
  });
  const goOn = hand.unfinished && !ready.length ? " Go on." : "";
  return element(
    "div",
    { class: "inhand", "data-key": "inhand" },
    element("p", {}, `${begins}: ${steps}.`, diceInOrder(finished), goOn),
    element("div", { class: "row" }, ready, undo),
  );
}

function diceInOrder(finished) {
  const orders = new Set(finished.map(({ dice }) => dice.join("-")).filter(Boolean));
  return orders.size ? ` The dice in this order: ${[...orders].join(" or ")}.` : "";
}

/** What to do with the board, until this seat has signed its first move. */
export function howToMove({ following, hand }) {
  const { events, mine } = following;
  const able = hand.own.some(({ paths }) => paths.length) && !hand.steps.length;
  if (!able || events.some(({ event }) => event?.type === "move" && event.by === mine)) return null;
  return element("p", { "data-key": "how" }, "Tap a piece, then where it goes.");
}

/** The other acts: a button each, or a list where there are many. */
export function otherActs(sitting) {
  const { hand, busy } = sitting;
  const acts = hand.words;
  if (!acts.length) return null;
  if (acts.length > FEW) return manyActs(sitting, acts);
  const buttons = acts.map((action) =>
    pressed(
      `act-${action.kind}-${action.text}`,
      [quoted(action.typed), " …"],
      () => askToSign(sitting, action),
      {
        off: busy,
      },
    ),
  );
  const named = { class: "row", role: "group", "aria-label": "Other acts", "data-key": "acts" };
  return element("div", named, buttons);
}

function manyActs(sitting, acts) {
  const nameOf = ({ kind, text }) => `${kind} ${text}`;
  const listed = acts.map((action) => [nameOf(action), quoted(action.typed).text]);
  const choose = (form) => {
    const chosen = form.elements.act.value;
    const action = sitting.hand.words.find((each) => nameOf(each) === chosen);
    if (action) askToSign(sitting, action);
  };
  const field = labelled("act", "Your act", chosenFrom("act", listed));
  return filledIn("acts", "Choose …", choose, { off: sitting.busy }, field);
}

/** A move by its notation: the server reads it as the one action that it means. */
export function typedMove(sitting) {
  const { hand, following, busy } = sitting;
  if (!hand.current || (!hand.own.length && !hand.words.length)) return null;
  const field = element("input", {
    ...{ name: "notation", id: "field-notation", autocomplete: "off", autocapitalize: "none" },
    ...{ spellcheck: "false", maxlength: "200", enterkeyhint: "send" },
  });
  const send = (form) => readTyped(sitting, form, following.seq);
  const moved = hand.own.find(({ paths }) => paths.length) ?? null;
  const example = moved ? [", like ", quoted(moved.typed)] : "";
  const words = ["Or type it as it is written in this game", example];
  return filledIn("typed", "Read it …", send, { off: busy }, labelled("notation", words, field));
}

/** The word that begins what was typed may be the kind of an act; else it is a move. */
function kindOf(typed, acts) {
  const [first, ...rest] = typed.split(/\s+/u);
  const known = acts.find(({ kind }) => kind === first.toLowerCase());
  if (known) return { kind: known.kind, text: rest.join(" ") || known.kind };
  const called = acts.find(({ text }) => text === typed.toLowerCase());
  return { kind: called?.kind ?? "move", text: typed };
}

async function readTyped(sitting, form, seq) {
  const { following, hand } = sitting;
  const typed = form.elements.notation.value.trim();
  if (!typed) return;
  const asked = new URLSearchParams(kindOf(typed, hand.words));
  try {
    const action = await askFor(`/api/matches/${following.match}/read?${asked}`);
    if (following.seq === seq) askToSign(sitting, action, form);
  } catch (error) {
    if (error instanceof Unanswered) {
      const what = "The server does not answer: what you typed could not be read.";
      sitting.refuse(new Answer("unanswered", what));
    } else if (error instanceof Answer) sitting.refuse(error);
    else throw error;
  }
}
