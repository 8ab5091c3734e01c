/* What a reader has to know first: the verdict, the result, which match this is and by what rules
   it was played. */

import { element, inGroups, linkTo, plainWords, quoted } from "./elements.mjs";
import { endInWords, resultLine } from "./ending.mjs";
import { vouchesForAll } from "./headfield.mjs";
import { personOf, seatsOf } from "./told.mjs";

const CUT_OFF = " Only the head hash on the score sheet shows that nothing was cut off.";
const ABOUT = ["event", "round", "table", "place", "date"];

export function verdictInWords(report) {
  const found = report.faults.length;
  if (report.verdict === "faults") return `FAULTS: ${found}`;
  if (report.verdict === "sound") return "Nothing wrong found in what this page checks";
  return found ? `Could not check all. FAULTS: ${found}` : "Could not check all";
}

/** "Alba (swedes) – Bruno (muscovites)", the first seat first. */
function playersOf(report) {
  return seatsOf(report).flatMap((seat, place) => [place ? " – " : "", personOf(report, seat, 0)]);
}

/** What the title of the window says: the verdict, and which match. */
export function titleOf(report) {
  const { opening } = report;
  if (opening === null) return `${verdictInWords(report)} · Tabellion`;
  const players = seatsOf(report).map((seat) => quoted(opening.seats[seat]?.name));
  const named = players.flatMap((name, place) => [place ? " – " : "", name]);
  const match = plainWords([named, ", ", quoted(opening.ruleset.name)]);
  return `${verdictInWords(report)} · ${match} · Tabellion`;
}

/** The first fault, and the way to all of them. */
function firstFault(report) {
  const [fault] = report.faults;
  if (!fault) return null;
  const where = fault.event === null ? "in the file" : ["in ", linkTo(fault.event)];
  return element(
    "p",
    { class: "first-fault" },
    report.faults.length === 1 ? "The fault is " : "The first fault is ",
    where,
    ": ",
    quoted(fault.text),
    " ",
    element("a", { href: "#checks-heading" }, "To the list of faults"),
  );
}

function diceMade(report) {
  const { dice } = report.opening;
  if (!dice) return "none";
  if (dice.scheme === "physical/1") {
    return dice.confirm ? "on the table, confirmed by the other seat" : "on the table";
  }
  const makers = dice.contributors.map((role) => personOf(report, role, 0));
  if (makers.length === 1) return ["made by ", makers[0], " alone"];
  const named = makers.slice(0, -1).flatMap((name, place) => [place ? ", " : "", name]);
  return ["made by ", named, " and ", makers.at(-1)];
}

/** The opening spells out every option; which of them are unusual only the rules can tell. */
function optionsOf(ruleset) {
  const options = Object.entries(ruleset.options);
  if (!options.length) return [];
  const said = options.flatMap(([name, value], place) => [
    place ? ", " : "",
    quoted(name),
    " = ",
    quoted(value),
  ]);
  const list = element(
    "details",
    { class: "options" },
    element("summary", {}, `${options.length}, all spelled out`),
    said,
  );
  return [["Options", list]];
}

/** Pairs of a name and what stands under it: what the opening says of the match. */
function factsOf(report) {
  const { opening } = report;
  const last = report.events.length - 1;
  const facts = [["Match id", element("code", {}, inGroups(report.match))]];
  if (opening === null) return facts;
  const about = ABOUT.filter((name) => opening[name] !== undefined);
  return [
    ...[["Players", playersOf(report)]],
    ...about.map((name) => [name[0].toUpperCase() + name.slice(1), quoted(opening[name])]),
    ["Rules", [quoted(opening.ruleset.name), `, version ${opening.ruleset.version}`]],
    ...optionsOf(opening.ruleset),
    ...(opening.turn_cap === undefined ? [] : [["Turn cap", `${opening.turn_cap} turns`]]),
    ["Dice", diceMade(report)],
    ...(opening.opening_deadline === undefined
      ? []
      : [["Dice are opened", quoted(opening.opening_deadline)]]),
    ["Arbiter", quoted(opening.arbiter.name)],
    ["Events", last ? `${last + 1}, numbered 0 to ${last}` : "1, numbered 0"],
    ...facts,
  ];
}

function factList(report) {
  const pairs = factsOf(report).map(([name, said]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, said)),
  );
  return element("dl", { class: "facts" }, pairs);
}

function waysOn(report) {
  const compared = vouchesForAll(report) ? ": compare it with the score sheet" : "";
  const ways = [
    ["#replay", "To the board and the list of events"],
    ["#head-heading", `To the head hash${compared}`],
    ["#parties-heading", "To who signed what"],
  ];
  return element(
    "ul",
    { class: "ways" },
    ways.map(([href, words]) => element("li", {}, element("a", { href }, words))),
  );
}

export function verdictSection(report) {
  const unchecked = report.unchecked.map((each) => element("li", {}, quoted(each)));
  return element(
    "section",
    { "aria-labelledby": "verdict", class: "verdict", "data-verdict": report.verdict },
    element("h2", { id: "verdict", tabindex: "-1" }, verdictInWords(report)),
    report.events.length ? element("p", { class: "result" }, resultLine(report)) : null,
    firstFault(report),
    unchecked.length
      ? [element("p", {}, "Not checked:"), element("ul", { class: "unchecked" }, unchecked)]
      : null,
    report.events.length
      ? [
          factList(report),
          element("p", {}, endInWords(report), vouchesForAll(report) ? CUT_OFF : null),
          waysOn(report),
        ]
      : element("p", {}, "No event can be read."),
  );
}
