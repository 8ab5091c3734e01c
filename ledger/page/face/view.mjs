/* The report: the verdict, a line for each check with its faults, who signed what, and how the
   record ends. It says only what `verify` found. */

import { element, inside, linkTo, listOf, quoted } from "./elements.mjs";
import { endSection } from "./ending.mjs";
import { headSection } from "./headfield.mjs";
import { partiesSection } from "./parties.mjs";
import { verdictSection } from "./verdictbox.mjs";

const MOST_FAULTS_LISTED = 200;
const STATES = new Map([
  ["ok", ["✓", "right"]],
  ["fault", ["✗", "wrong"]],
  ["unchecked", ["?", "not all checked"]],
  ["none", ["–", "nothing to compute"]],
]);
/** Events whose dice follow from numbers that were kept secret. */
const SECRET_TYPES = new Set(["dice.committed", "roll", "roll.opened"]);
const CHECK_LINES = [
  ["file", "File", "One record, with nothing damaged around its events."],
  ["form", "Form", "Each event has the one spelling it can have, and says what its type may say."],
  [
    "signature",
    "Signatures",
    "Each event is signed by the key that the record itself names for it.",
  ],
  [
    "chain",
    "Chain",
    "Each event continues the one before it: none is missing, moved or exchanged.",
  ],
  [
    "authority",
    "Roster and authority",
    "Each event is signed by somebody who may sign such an event.",
  ],
  [
    "dice",
    "Dice",
    "The numbers opened are those that were committed to; the dice follow from them.",
  ],
];

/** How a check went: `null` of an event is either nothing to check or something left unchecked. */
function stateOfCheck(report, check) {
  if (report.faults.some((fault) => fault.check === check)) return "fault";
  if (check === "file")
    return report.verdict === "could-not-check" && !report.events.length ? "unchecked" : "ok";
  const secret = (item) => SECRET_TYPES.has(inside(item.event, "type"));
  const judged = check === "dice" ? report.events.filter(secret) : report.events;
  if (!judged.length) return check === "dice" && report.events.length ? "none" : "unchecked";
  return judged.some((item) => item.checks[check] === null) && report.verdict !== "sound"
    ? "unchecked"
    : "ok";
}

function diceWords(report, words) {
  const fallen = report.rolls.filter((roll) => listOf(roll.dice).length);
  const computed = fallen.filter((roll) => roll.how === "computed").length;
  const lying = fallen.filter((roll) => roll.how === "recorded").length;
  const owed = report.rolls.length - fallen.length;
  const counted = [
    computed ? `${words} Rolls computed: ${computed}.` : "",
    lying
      ? `Rolls written down from dice on the table: ${lying}. ` +
        "How they fell is the word of those who wrote and confirmed it."
      : "",
    owed ? `Rolls thrown but not opened by all: ${owed}.` : "",
    report.rolls.length ? "" : "No rolls in this match.",
  ];
  return counted.filter(Boolean).join(" ");
}

function faultLine(fault) {
  const where = fault.event === null ? "In the file" : linkTo(fault.event, `Event ${fault.event}`);
  return element(
    "li",
    { "data-event": fault.event ?? "file", "data-code": fault.code },
    where,
    ": ",
    quoted(fault.text),
    " ",
    element("code", { class: "code" }, fault.code),
  );
}

function checkLine(report, [check, name, words]) {
  const state = stateOfCheck(report, check);
  const [sign, said] = STATES.get(state);
  const faults = report.faults.filter((fault) => fault.check === check);
  const more = faults.length - MOST_FAULTS_LISTED;
  return element(
    "li",
    { "data-check": check, "data-state": state },
    element("span", { class: "sign", "aria-hidden": "true" }, sign),
    element(
      "div",
      {},
      element("h3", {}, `${name}: `, element("span", { class: "state" }, said)),
      state === "ok" || state === "none"
        ? element("p", {}, check === "dice" ? diceWords(report, words) : words)
        : null,
      state === "unchecked"
        ? element("p", {}, "For some events this could not be found out.")
        : null,
      faults.length ? element("ul", {}, faults.slice(0, MOST_FAULTS_LISTED).map(faultLine)) : null,
      more > 0 ? element("p", {}, `And ${more} more.`) : null,
    ),
  );
}

function checksSection(report) {
  return element(
    "section",
    { "aria-labelledby": "checks-heading" },
    element("h2", { id: "checks-heading", tabindex: "-1" }, "What was checked"),
    element(
      "ul",
      { class: "checks", role: "list" },
      CHECK_LINES.map((line) => checkLine(report, line)),
    ),
  );
}

/** All of the report, in the order to read it, with the replay before the list of people. */
export function reportSections(report, replayed) {
  return [
    verdictSection(report),
    checksSection(report),
    ...(report.events.length
      ? [headSection(report), endSection(report), replayed, partiesSection(report)]
      : []),
  ];
}
