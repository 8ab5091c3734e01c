/* One event in full: who signed it, what was checked of it, and how the dice came about that
   belong to it. */

import { element, eventsInWords, inGroups, inside, linkTo, listOf, quoted } from "./elements.mjs";
import { voidedInWords } from "./remarks.mjs";
import { diceInWords, eventOf, partyAt, personOf } from "./told.mjs";

const HOW_MADE = new Map([
  ["computed", "computed by this page from the numbers that were opened"],
  ["recorded", "written down as the dice lay on the table"],
  ["awarded", "by a ruling"],
]);
const CHECKED = new Map([
  ["form", "form"],
  ["signature", "signature"],
  ["chain", "chain"],
  ["authority", "roster and authority"],
  ["dice", "dice"],
]);

function signerOf(report, item) {
  const by = inside(item.event, "by");
  const party = partyAt(report, by, item.number);
  const key =
    item.keyid === null ? ["no key that can be read"] : [element("code", {}, quoted(item.keyid))];
  return [party ? personOf(report, by, item.number) : quoted(by), ", ", key];
}

function checksOf(item) {
  const said = (wanted) =>
    [...CHECKED].filter(([name]) => item.checks[name] === wanted).map(([, words]) => words);
  const right = said(true);
  const wrong = said(false);
  return [
    right.length ? `right: ${right.join(", ")}` : "nothing could be checked",
    wrong.length ? `; wrong: ${wrong.join(", ")}` : "",
  ];
}

/** The rolls that an event has a part in. Who opens a roll binds himself to the next one: that is
told with the next one. */
function rollsAt(report, number) {
  const commits = inside(eventOf(report, number), "type") === "dice.committed";
  return report.rolls.filter(
    (roll) =>
      [roll.thrown, roll.event, roll.confirmed, roll.voided].includes(number) ||
      listOf(roll.opened).some(
        (part) => part.event === number || (commits && part.committed === number),
      ),
  );
}

function rollTold(report, roll, number) {
  const parts = listOf(roll.opened).map((part) =>
    element(
      "li",
      {},
      personOf(report, part.role, part.event ?? number),
      ": opened in ",
      linkTo(part.event),
      part.committed === null || part.committed === undefined
        ? ", no commitment found before it"
        : [", as committed to before in ", linkTo(part.committed)],
    ),
  );
  const dice = listOf(roll.dice).length
    ? [diceInWords(roll.dice), ", ", HOW_MADE.get(roll.how) ?? ""]
    : "not opened by all, so there are no dice";
  return element(
    "div",
    {
      class: "roll",
      "data-roll": roll.roll,
      "data-how": roll.how,
      "data-dice": listOf(roll.dice).join("-"),
    },
    element(
      "p",
      {},
      `Roll ${roll.roll}, thrown in `,
      linkTo(roll.thrown),
      ": ",
      dice,
      roll.confirmed === null ? "" : [", confirmed in ", linkTo(roll.confirmed)],
      roll.voided === null ? "" : [", ", voidedInWords(report, roll)],
      roll.voided === null && report.superseded.has(roll.event)
        ? [", taken back by ", linkTo(report.superseded.get(roll.event))]
        : "",
      ".",
    ),
    parts.length ? element("ul", {}, parts) : null,
  );
}

/** Disputes, statements, rulings and appeals that speak of this event, or of which it speaks. */
function referencesTo(report, item) {
  const about = report.events
    .filter(({ event }) => {
      const data = inside(event, "data");
      const named = [
        "about",
        "dispute",
        "against",
        "appeal",
        "offer",
        "confirms",
        "result_event",
        "ruling",
      ];
      const disputed =
        inside(event, "type") === "dispute.raised" && inside(data, "event") === item.number;
      return (
        disputed || (item.hash !== null && named.some((name) => inside(data, name) === item.hash))
      );
    })
    .map(({ number }) => number);
  if (!about.length) return null;
  const links = about.flatMap((number, place) => [place ? ", " : "", linkTo(number)]);
  return [element("dt", {}, "Spoken of in"), element("dd", {}, links)];
}

export function eventDetails(report, number) {
  const item = report.events[number];
  const taken = [...report.superseded].filter(([, by]) => by === number).map(([back]) => back);
  return element(
    "div",
    { class: "particulars" },
    rollsAt(report, number).map((roll) => rollTold(report, roll, number)),
    element(
      "dl",
      {},
      taken.length
        ? [element("dt", {}, "Takes back"), element("dd", {}, eventsInWords(taken))]
        : null,
      referencesTo(report, item),
      element("dt", {}, "Signed by"),
      element("dd", {}, signerOf(report, item)),
      element("dt", {}, "Signer's clock"),
      element("dd", {}, quoted(inside(item.event, "at"))),
      element("dt", {}, "Checked"),
      element("dd", {}, checksOf(item)),
      element("dt", {}, "Hash"),
      element("dd", {}, item.hash === null ? "none can be computed" : inGroups(item.hash)),
    ),
  );
}
