/* Taking an act back that was mistyped: a ruling too, with less to fill in. */

import { element, quoted } from "../../page/face/elements.mjs";
import { filledIn } from "../table/controls.mjs";
import { choiceField, isComplete, lineField, typedIn } from "./formfields.mjs";

export const KEPT = [
  ["keep", "stay as they lay"],
  ["rethrow", "are thrown anew"],
];

export function correctingField(sitting) {
  const { correcting, facts, log, busy } = sitting;
  if (correcting === null || !facts.standing.includes(correcting)) return null;
  const line = log.find(({ seq }) => seq === correcting);
  const send = (form) => {
    if (!isComplete(sitting, form)) return undefined;
    const [reason, rule] = [typedIn(form, "reason"), typedIn(form, "rule")];
    const dice = facts.with_dice ? { dice: typedIn(form, "dice") } : {};
    const effects = [{ effect: "rewind", to: correcting - 1, ...dice }];
    return sitting.propose({
      ...{ title: `Take back event ${correcting} and what followed`, yes: "Sign the ruling", form },
      drafts: [{ type: "ruling", data: { reason, rule, effects } }],
    });
  };
  const leave = () => {
    sitting.correcting = null;
    sitting.draw();
    sitting.focus(`take-back-${correcting}`);
  };
  const cancel = element("button", { type: "button", "data-key": "leave-correcting" }, "Leave it");
  cancel.onclick = leave;
  return element(
    "section",
    {
      class: "correcting",
      "data-key": `correcting-${correcting}`,
      "aria-labelledby": "correcting-title",
    },
    element(
      "h3",
      { id: "correcting-title", tabindex: "-1", "data-key": "correcting-title" },
      `Take back event ${correcting}`,
    ),
    element("p", {}, quoted(line?.text ?? ""), ". It stays on the record, struck."),
    filledIn(
      ...["correct-form", "See what it does …", send, { off: busy }],
      lineField(sitting, "correct-reason", "reason", "Why; it stays on the record", {
        ...{ longest: 4000, needed: true },
      }),
      lineField(sitting, "correct-rule", "rule", "The rule that it rests on", {
        needed: true,
        value: "record: what was done on the board is what counts",
      }),
      facts.with_dice ? choiceField("correct-dice", "dice", "The dice", KEPT) : null,
    ),
    cancel,
  );
}
