/* What the arbiter writes down for players without a key: moves on the board or typed, throws, dice
   as they lie. */

import { drawDice } from "../../page/face/drawing.mjs";
import { element, quoted } from "../../page/face/elements.mjs";
import { moveInHand, otherActs, typedMove } from "../table/actsfield.mjs";
import { filledIn, folded, pressed } from "../table/controls.mjs";
import { diceIn, isComplete, lineField, pointAt, typedIn } from "./formfields.mjs";
import { scribedSeats, seatInWords } from "./proposal.mjs";

const EXAMPLE = [3, 5, 2, 4, 1, 6, 3, 5];

/** Moves, and the other acts of the game. */
export function scribeField(sitting) {
  const { show, hand, following } = sitting;
  const scribed = scribedSeats(show);
  if (!scribed.length) {
    return element("p", { "data-key": "nobody" }, "Both players sign for themselves.");
  }
  const names = scribed.map((seat, place) => [place ? " and " : "", seatInWords(show, seat)]);
  const waits = following.mine === null && show.turn ? [" The turn is not theirs."] : [];
  return [
    element("p", { "data-key": "writing-for" }, "You write for ", names, ".", waits),
    hand.current || show.turn === null
      ? null
      : element("p", { "data-key": "reading" }, "One moment …"),
    moveInHand(sitting),
    typedMove(sitting),
    otherActs(sitting),
  ];
}

/** Whose opening is awaited, and what the arbiter can do for the dice. */
export function deskDice(sitting) {
  const { show, facts } = sitting;
  if (!show.rolling) return null;
  return [
    element("p", { "data-key": "how-dice", class: "faint" }, "Dice: ", quoted(show.rolling.words)),
    awaitedInWords(show),
    facts.waiting.map((waiting) => confirmingFor(sitting, waiting)),
    throwingFor(sitting),
    voiding(sitting),
  ];
}

function awaitedInWords(show) {
  const { awaited, roll } = show.rolling;
  if (!awaited.length) return null;
  const names = awaited.map((role, place) => [place ? ", then " : "", seatInWords(show, role)]);
  return element(
    "p",
    { "data-key": "awaited" },
    `Roll ${roll} is thrown. It waits to be opened by `,
    names,
    ".",
  );
}

function confirmingFor(sitting, { hash, seat, what }) {
  const { show, busy } = sitting;
  const said = what === "dice" ? "The dice that were written down" : "That the dice are void";
  const waits = [`${said} wait for the word of `, seatInWords(show, seat), "."];
  if (!scribedSeats(show).includes(seat))
    return element("p", { "data-key": `waits-${hash}` }, waits);
  const draft = { type: "roll.confirmed", data: { confirms: hash }, for: seat };
  const ask = () =>
    sitting.propose({ title: "Confirm for this player", yes: "Sign it", drafts: [draft] });
  return element("div", { "data-key": `waits-${hash}`, class: "row" }, [
    element("span", {}, waits),
    pressed(`confirm-${hash}`, "Confirm for them …", ask, { off: busy }),
  ]);
}

function throwingFor(sitting) {
  const { show, facts, busy } = sitting;
  const { thrower, faces, roll } = facts;
  const waits = show.rolling.awaited.length || facts.waiting.length;
  if (thrower === null || waits || !["throw", "act"].includes(show.due.step)) return null;
  const scribed = scribedSeats(show).includes(thrower);
  const whose = scribed ? { for: thrower } : {};
  if (!facts.on_table) {
    if (!scribed) return null;
    const ask = () =>
      sitting.propose({
        ...{ title: "Throw for this player", yes: "Throw" },
        drafts: [{ type: "roll", data: { roll }, ...whose }],
      });
    return pressed("throw", ["Throw for ", seatInWords(show, thrower), " …"], ask, { off: busy });
  }
  const example = EXAMPLE.slice(0, faces).join("-");
  const send = (form) => {
    const dice = diceIn(form, "dice");
    if (dice?.length !== faces)
      return pointAt(sitting, "dice", `Write ${faces} dice like ${example}.`);
    const drafts = [{ type: "roll.recorded", data: { roll, dice }, ...whose }];
    return sitting.propose({
      title: "Write these dice down",
      yes: `Sign ${dice.join("-")}`,
      drafts,
      form,
    });
  };
  const label = ["Dice on the table, thrown by ", seatInWords(show, thrower), `: like ${example}`];
  return filledIn(
    "dice-form",
    "Write them down …",
    send,
    { off: busy },
    lineField(sitting, "dice", "dice", label, { numeric: true, longest: 20, needed: true }),
  );
}

function voiding(sitting) {
  const { facts, busy } = sitting;
  if (facts.voidable === null) return null;
  const send = (form) => {
    if (!isComplete(sitting, form)) return undefined;
    const reason = typedIn(form, "reason");
    const drafts = [{ type: "roll.voided", data: { roll: facts.voidable, reason } }];
    return sitting.propose({
      title: "Declare these dice void",
      yes: "Sign that they are void",
      drafts,
      form,
    });
  };
  return folded(
    "void",
    `The dice of roll ${facts.voidable} do not count`,
    filledIn(
      "void-form",
      "Declare them void …",
      send,
      { off: busy },
      lineField(sitting, "void-reason", "reason", "Why: cocked, off the board", { needed: true }),
    ),
  );
}

/** The dice on the table, drawn and in words. */
export function diceLying({ dice }) {
  if (!dice.length) return null;
  return element(
    "p",
    { class: "lying", "data-key": "dice" },
    drawDice(dice),
    ` Dice: ${dice.join("-")}`,
  );
}
