/* Dice: thrown with this phone's number, or as they lie on the table. Openings happen by themselves
   (`phone/dice.mjs`); who is awaited is said in words. */

import { drawDice } from "../../page/face/drawing.mjs";
import { element } from "../../page/face/elements.mjs";
import { contributorsOf, diceOfThrow, isComputed, toOpen } from "../../page/verifier/rolls.mjs";
import { throwDraft } from "../phone/dice.mjs";
import { Answer } from "../phone/answer.mjs";
import { filledIn, folded, labelled, pressed } from "./controls.mjs";
import { lastRoll } from "./lastroll.mjs";
import { holderInWords } from "./sayings.mjs";

/** Whether this seat throws now, or may: as the server tells it. */
function throwsNow({ hand, following }) {
  const { show, mine } = following;
  if (!show || !hand.current || !hand.moves.throw) return false;
  const { step, whose } = show.due;
  if (step === "throw") return whose.includes(mine);
  return step === "act" && hand.moves.turn === mine;
}

export function diceField(sitting) {
  const { following } = sitting;
  const { course } = following;
  if (!course?.opening.dice) return null;
  const rolled = [awaitedOpening(course), lastRoll(sitting)];
  return [rolled, isComputed(course) ? throwing(sitting) : lying(sitting)];
}

/** A roll that is thrown and not open yet: what it waits for. */
function awaitedOpening(course) {
  const { flight, number } = course.rolling;
  if (!flight) return null;
  const waiting = toOpen(course).flatMap((role, place) => [
    place ? ", then " : "",
    holderInWords(course, role),
  ]);
  return element("p", { class: "awaited", "data-key": "awaited" }, [
    `Roll ${number} is thrown. The dice are known once it is opened by `,
    waiting,
    ". Phones do that by themselves.",
  ]);
}

function throwing(sitting) {
  const { hand, following, busy } = sitting;
  if (!throwsNow(sitting)) return null;
  const choice = hand.own.length > 0;
  const press = async () => {
    const draft = await sitting.tried(() => throwDraft(following));
    if (!draft) return;
    if (!choice) return sitting.signNow(draft);
    sitting.ask({
      title: "Throw the dice?",
      words: ["You could do something else now. Dice that are thrown stay thrown."],
      ...{ yes: "Throw", draft },
    });
  };
  const { course } = following;
  const missing = contributorsOf(course).filter((role) => !course.rolling.bound.has(role));
  if (missing.length) {
    const names = missing.flatMap((role, place) => [
      place ? " and " : "",
      holderInWords(course, role),
    ]);
    return element("p", { "data-key": "unbound" }, "The throw waits for the phone of ", names, ".");
  }
  return pressed("throw", choice ? "Throw …" : "Throw", press, { off: busy, kind: "main huge" });
}

function lying(sitting) {
  const { following } = sitting;
  const { recorded, voiding } = following.course.rolling;
  return [
    recorded ? confirming(sitting, recorded, "dice") : null,
    voiding ? confirming(sitting, voiding, "void") : null,
    throwsNow(sitting) ? recording(sitting) : null,
  ];
}

function confirming(sitting, waiting, what) {
  const { following, busy } = sitting;
  const { course, mine } = following;
  const dice = waiting.roll.dice.join("-");
  const asked =
    what === "dice" ? `The dice ${dice} are written down` : `The dice ${dice} are to be void`;
  if (waiting.confirmer !== mine) {
    const other =
      waiting.confirmer === null ? ["the other side"] : holderInWords(course, waiting.confirmer);
    return element("p", { "data-key": `confirm-${what}` }, `${asked}. That waits for `, other, ".");
  }
  const confirms = course.hashes[waiting.event];
  const yes = what === "dice" ? `Confirm ${dice}` : `Confirm that ${dice} is void`;
  const ask = () =>
    sitting.ask({
      title: "Confirm this?",
      words: [`${asked} (event ${waiting.event}). Sign only what you saw on the table.`],
      ...{ yes, draft: { type: "roll.confirmed", data: { confirms } } },
    });
  return element("div", { "data-key": `confirm-${confirms}`, class: "row" }, [
    element("span", { class: "lying" }, drawDice(waiting.roll.dice), ` ${asked}.`),
    pressed(`confirm-${confirms}`, [yes, " …"], ask, { off: busy, kind: "main" }),
  ]);
}

/** Dice as they lie: a row of faces for each die. */
function recording(sitting) {
  const { following, busy } = sitting;
  const many = diceOfThrow(following.course);
  const rows = Array.from({ length: many }, (_, die) => dieChosen(die));
  const send = (form) => {
    const dice = Array.from({ length: many }, (_, die) => Number(form.elements[`die${die}`].value));
    if (dice.some((face) => !face)) {
      return sitting.refuse(new Answer("bad-dice", "Say for each die what it shows."));
    }
    const { number } = following.course.rolling;
    sitting.ask({
      title: "Write these dice down?",
      words: ["Roll ", String(number), ": ", element("strong", {}, dice.join("-")), "."],
      yes: `Sign ${dice.join("-")}`,
      ...{ draft: { type: "roll.recorded", data: { roll: number, dice } }, form },
    });
  };
  return filledIn("record", "Write these dice down …", send, { off: busy }, rows);
}

function dieChosen(die) {
  const faces = [1, 2, 3, 4, 5, 6].map((face) =>
    element(
      "label",
      { class: "face" },
      element("input", { type: "radio", name: `die${die}`, value: face }),
      drawDice([face]),
      element("span", {}, String(face)),
    ),
  );
  return element(
    "fieldset",
    { class: "die-row", "data-key": `die-${die}` },
    element("legend", {}, `Die ${die + 1} shows`),
    faces,
  );
}

/** Dice that do not count: asked of the other seat, as long as nothing was done with them. */
export function voidingField(sitting) {
  const { following, busy } = sitting;
  const { course, mine } = following;
  if (!course?.opening.dice || isComputed(course)) return null;
  const { recorded, rolls, voiding } = course.rolling;
  const last = recorded?.roll ?? rolls.at(-1);
  const standing = last && last.voided === null && (recorded || nothingDoneSince(course, last));
  if (!standing || voiding) return null;
  const field = element("input", { name: "reason", id: "field-reason", maxlength: "200" });
  const send = (form) => {
    const reason = form.elements.reason.value.trim();
    if (!reason) return sitting.refuse(new Answer("no-reason", "Say why the dice do not count."));
    sitting.ask({
      title: "Ask that these dice are void?",
      words: [`Roll ${last.roll}, ${last.dice.join("-")}, does not count: `, reason, "."],
      yes: "Sign that",
      ...{ draft: { type: "roll.voided", data: { roll: last.roll, reason } }, form },
    });
  };
  return folded(
    "void",
    `Dice ${last.dice.join("-")} do not count (cocked, off the board)`,
    filledIn(
      "void-form",
      "Ask …",
      send,
      { off: busy || mine === null },
      labelled("reason", "Why", field),
    ),
  );
}

function nothingDoneSince(course, roll) {
  return roll.event !== null && course.moments[roll.event].board === course.moments.at(-1).board;
}
