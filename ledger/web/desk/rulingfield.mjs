/* A ruling: the reason, the rule it rests on, and what it does, out of a closed list. */

import { element, plainWords, quoted } from "../../page/face/elements.mjs";
import { Answer } from "../phone/answer.mjs";
import { filledIn, folded } from "../table/controls.mjs";
import { KEPT } from "./correctingfield.mjs";
import { positionSpelled } from "./deskapi.mjs";
import { choiceField, diceIn, isComplete, lineField, numberIn } from "./formfields.mjs";
import { pointAt, textField, typedIn } from "./formfields.mjs";
import { seatInWords } from "./proposal.mjs";

const EFFECTS = [
  ["dismiss", "dismisses the complaint"],
  ["rewind", "goes back to an earlier event"],
  ["position", "sets the position"],
  ["result", "gives the result"],
  ["award", "awards a roll that is not opened"],
  ["contributors", "names who makes the dice from now on"],
  ["penalty", "only gives or withdraws a penalty"],
];
const RESULTS = [
  ["win", "a win"],
  ["draw", "a draw"],
  ["forfeit", "a win by forfeit"],
  ["double_forfeit", "both forfeit"],
  ["annulled", "annulled"],
];
const PENALTIES = [
  ["", "none"],
  ["warning", "a warning"],
  ["points_off", "points off"],
  ["points_to_opponent", "points for the opponent"],
  ["game_lost", "loss of the game"],
  ["fine", "a fine"],
  ["rounds_off", "left out of coming rounds"],
  ["expulsion", "expulsion"],
];

export function rulingField(sitting) {
  const { show, busy } = sitting;
  const known = EFFECTS.filter(
    ([effect]) => show.rolling || !["award", "contributors"].includes(effect),
  );
  const effect = choiceField("ruling-effect", "effect", "The ruling", known, "dismiss");
  effect.querySelector("select").onchange = ({ currentTarget }) => {
    sitting.effect = currentTarget.value;
    sitting.draw();
  };
  return folded(
    "ruling",
    "Rule",
    filledIn(
      ...[
        "ruling-form",
        "See what it does …",
        (form) => proposeRuling(sitting, form),
        { off: busy },
      ],
      textField(sitting, "ruling-reason", "reason", "Reason; it stays on the record", {
        needed: true,
      }),
      lineField(sitting, "ruling-rule", "rule", "The rule that it rests on", { needed: true }),
      effect,
      detailsOf(sitting),
      penaltyFields(show),
    ),
  );
}

function seatPairs(show) {
  return show.seats.map(({ seat }) => [seat, plainWords(seatInWords(show, seat))]);
}

function detailsOf(sitting) {
  const { effect, show, facts } = sitting;
  switch (effect) {
    case "rewind":
      return [
        lineField(sitting, "ruling-to", "to", "The game stands as it stood after event", {
          ...{ numeric: true, longest: 9, needed: true },
        }),
        facts.with_dice ? choiceField("ruling-dice", "dice", "The dice", KEPT) : null,
      ];
    case "position":
      return lineField(
        ...[sitting, "ruling-position", "position"],
        "The position, in the notation below the board",
        { value: show.position, longest: 1000, needed: true },
      );
    case "result":
      return [
        choiceField("ruling-result", "result", "The result", RESULTS),
        choiceField(
          "ruling-winner",
          "winner",
          "Of a win and a forfeit: the winner",
          seatPairs(show),
        ),
      ];
    case "award":
      return lineField(
        ...[sitting, "ruling-award", "award"],
        `Roll ${show.rolling.roll} counts as these dice, like 3-5-2`,
        { longest: 20, needed: true },
      );
    case "contributors":
      return makers(sitting);
    default:
      return null;
  }
}

function makers({ show, lacking }) {
  const roles = [...seatPairs(show), ["arbiter", "the arbiter"]];
  const boxes = roles.map(([role, words]) => {
    const box = element("input", {
      type: "checkbox",
      name: "makers",
      value: role,
      id: `field-makers-${role}`,
    });
    return element("label", { class: "tick" }, box, " ", quoted(words));
  });
  return element(
    "fieldset",
    {
      "data-key": "makers-field",
      "aria-describedby": lacking.has("makers") ? "lack-makers" : null,
    },
    element("legend", {}, `Roll ${show.rolling.roll} is dead. The next ones are made by`),
    boxes,
    lacking.has("makers")
      ? element("span", { class: "lack", id: "lack-makers" }, lacking.get("makers"))
      : null,
  );
}

function penaltyFields(show) {
  const given = show.penalties.filter(({ withdrawn }) => withdrawn === null);
  const seqs = [...new Set(given.map(({ seq }) => seq))];
  const withdrawn = [["", "none"], ...seqs.map((seq) => [String(seq), `those of event ${seq}`])];
  return element(
    "details",
    { "data-key": "penalties" },
    element("summary", {}, "Beside it: a penalty"),
    choiceField("penalty-kind", "penalty", "Penalty", PENALTIES),
    choiceField("penalty-seat", "penalised", "For", seatPairs(show)),
    seqs.length
      ? choiceField("penalty-withdrawn", "withdrawn", "Withdraw penalties", withdrawn)
      : null,
  );
}

async function proposeRuling(sitting, form) {
  if (!isComplete(sitting, form)) return undefined;
  const [reason, rule] = [typedIn(form, "reason"), typedIn(form, "rule")];
  const effects = await effectsOf(sitting, form);
  if (effects === null) return undefined;
  if (!effects.length) return sitting.refuse(new Answer("no-effect", "Say what the ruling does."));
  return sitting.propose({
    ...{ title: "A ruling", yes: "Sign the ruling", form },
    drafts: [{ type: "ruling", data: { reason, rule, effects } }],
  });
}

/** What is done to the game, then penalties; `null` for what was refused already. */
async function effectsOf(sitting, form) {
  const effect = await mainEffect(sitting, form, typedIn(form, "effect"));
  if (effect === null) return null;
  const effects = [effect].flat();
  const [penalty, withdrawn] = [typedIn(form, "penalty"), numberIn(form, "withdrawn")];
  if (penalty) effects.push({ effect: "penalty", seat: typedIn(form, "penalised"), penalty });
  if (withdrawn !== null) effects.push({ effect: "withdraw", ruling: withdrawn });
  return effects;
}

async function mainEffect(sitting, form, effect) {
  const { show, facts } = sitting;
  switch (effect) {
    case "dismiss":
      return { effect };
    case "rewind": {
      const to = numberIn(form, "to");
      if (to === null || to > show.seq)
        return pointAt(sitting, "ruling-to", `This is an event from 0 to ${show.seq}.`);
      return { effect, to, ...(facts.with_dice ? { dice: typedIn(form, "dice") } : {}) };
    }
    case "position": {
      const position = await sitting.asked(() =>
        positionSpelled(show.match, typedIn(form, "position")),
      );
      return position === null ? null : { effect, position };
    }
    case "result": {
      const kind = typedIn(form, "result");
      const won = ["win", "forfeit"].includes(kind);
      return { effect, kind, ...(won ? { winner: typedIn(form, "winner") } : {}) };
    }
    case "award": {
      const dice = diceIn(form, "award");
      if (dice === null)
        return pointAt(sitting, "ruling-award", "Dice are written like 3-5-2, each from 1 to 6.");
      return { effect, roll: show.rolling.roll, dice };
    }
    case "contributors": {
      const ticked = [...form.querySelectorAll("[name=makers]:checked")].map(({ value }) => value);
      if (!ticked.length) return pointAt(sitting, "makers", "Say who makes the dice.");
      return { effect, roll: show.rolling.roll, contributors: ticked };
    }
    default:
      return [];
  }
}
