/* How a record ends: its result, who put their name to it and who did not, and what was disputed,
   ruled and appealed on the way. What could not be judged is said to be so. */

import { element, eventsInWords, inside, linkTo, listOf } from "./elements.mjs";
import { resultSentence } from "./rulingwords.mjs";
import { tell } from "./telling.mjs";
import { Told, isJudged, numberOfHash, personOf } from "./told.mjs";

const MOST_LISTED = 200;
const OFFICIAL_ACTS = new Set([
  "dispute.raised",
  "dispute.settled",
  "ruling",
  "appeal",
  "appeal.decided",
  "signature.refused",
]);

function kindOf(item) {
  return inside(item.event, "type");
}

function closingOf(report) {
  return report.events.findLast((item) => kindOf(item) === "match.closed");
}

function effectsOf(item) {
  return listOf(inside(item.event, "data", "effects"));
}

/** The event whose result stands: the closing, or the last decision after it. */
function givesResult(report) {
  const closing = closingOf(report);
  const decided = (item) => effectsOf(item).some((each) => inside(each, "effect") === "result");
  return report.events.findLast((item) => item.number > closing.number && decided(item)) ?? closing;
}

/** Whether every event could be judged. */
function judgedWhole(report) {
  return isJudged(report, report.events.length - 1);
}

/** Who won and how, in one line; or that it is not known. */
export function resultLine(report) {
  const closing = closingOf(report);
  if (!closing && judgedWhole(report)) return ["No result is known: the match is not closed."];
  if (!closing) return ["No result is known: no closing can be read in this record."];
  if (!report.closed) {
    const where = linkTo(closing.number);
    return [
      "No result is known: the record has a closing in ",
      where,
      " that could not be judged.",
    ];
  }
  const item = givesResult(report);
  const told = new Told(report, item.number);
  const effect = effectsOf(item).find((each) => inside(each, "effect") === "result");
  const said = effect ?? inside(item.event, "data", "result");
  const words = resultSentence(
    told,
    inside(said, "kind"),
    inside(said, "winner"),
    inside(said, "how"),
  );
  const how = { ruling: "by the ruling of ", "appeal.decided": "by the decision on appeal in " };
  const where = [how[kindOf(item)] ?? "as closed in ", linkTo(item.number)];
  const proven = report.faults.length ? ". With the faults found this is not proven." : ".";
  return ["Result: ", words, ", ", where, proven];
}

/** Names under the result that stands: signed, signed for somebody absent, refused. */
function signaturesOf(report) {
  const { number: given } = givesResult(report);
  const found = { signed: new Map(), refused: new Map() };
  for (const { number, event } of report.events.slice(given + 1)) {
    const data = inside(event, "data");
    if (numberOfHash(report, inside(data, "result_event")) !== given) continue;
    if (event.type === "countersigned" && report.signed.includes(event.by)) {
      const absent = inside(data, "absent");
      const instead =
        absent === undefined ? "" : [" instead of ", personOf(report, absent, number)];
      found.signed.set(event.by, [personOf(report, event.by, number), instead]);
      found.refused.delete(event.by);
    }
    if (event.type === "signature.refused") found.refused.set(data.seat, number);
  }
  return found;
}

/** Where the record ends, and who signed its result. */
export function endInWords(report) {
  const last = report.events.length - 1;
  if (last < 0) return ["There is no event in this file."];
  const closing = closingOf(report);
  if (!report.closed && closing) {
    const where = linkTo(closing.number);
    return [
      "Ends at ",
      linkTo(last),
      ". It has a closing in ",
      where,
      " that could not be judged.",
    ];
  }
  if (!report.closed && judgedWhole(report)) {
    return ["Ends at ", linkTo(last), ", not closed: what came after it, nobody can see here."];
  }
  if (!report.closed) return ["Ends at ", linkTo(last), ". No closing can be read in it."];
  const names = [...signaturesOf(report).signed.values()];
  const by = names.flatMap((name, place) => [place ? " and " : "", name]);
  const signed = names.length ? by : "nobody";
  return ["Ends at ", linkTo(last), ", closed; countersigned by ", signed, "."];
}

/** The close, and every later decision that gave another result: the last one stands. */
function resultLines(report) {
  const closing = closingOf(report);
  if (!closing) return [];
  const later = report.events
    .slice(closing.number + 1)
    .filter((item) => effectsOf(item).some((each) => inside(each, "effect") === "result"));
  const last = " This is the last word on the result.";
  return [closing, ...later].map((item, place) =>
    element(
      "p",
      {},
      place ? ["Then, in ", linkTo(item.number), ": "] : null,
      tell(report, item.number),
      later.length && place === later.length ? last : null,
    ),
  );
}

/** Who would not sign the result that stands, and why. */
function refusalLines(report) {
  if (!report.closed) return [];
  return [...signaturesOf(report).refused.values()].map((number) =>
    element("p", { class: "refused" }, tell(report, number), " (", linkTo(number), ")"),
  );
}

/** What became of acts: the event that withdrew a penalty, by the ruling that gave it; the one that
decided an appeal, by the hash of that. */
function outcomesOf(report) {
  const found = { withdrawn: new Map(), decided: new Map() };
  for (const item of report.events) {
    const appeal = inside(item.event, "data", "appeal");
    if (kindOf(item) === "appeal.decided") found.decided.set(appeal, item.number);
    for (const each of effectsOf(item)) {
      const ruling = inside(each, "ruling");
      if (inside(each, "effect") === "withdraw") found.withdrawn.set(ruling, item.number);
    }
  }
  return found;
}

function cameOfIt(outcomes, item) {
  const withdrawn = outcomes.withdrawn.get(item.number);
  if (withdrawn !== undefined) return [" (the penalty is withdrawn in ", linkTo(withdrawn), ")"];
  if (kindOf(item) !== "appeal") return [];
  const decided = outcomes.decided.get(item.hash);
  if (decided === undefined) return [" (not decided in this record)"];
  return [" (decided in ", linkTo(decided), ")"];
}

function officialLine(report, outcomes, item) {
  const taken = report.superseded.get(item.number);
  return element(
    "li",
    { "data-official": kindOf(item) },
    linkTo(item.number, `Event ${item.number}`),
    ": ",
    tell(report, item.number),
    cameOfIt(outcomes, item),
    taken === undefined ? null : [" (taken back by ", linkTo(taken), ")"],
  );
}

/** Penalties that still stand, named by whom they are for. */
function penaltiesInWords(report, outcomes) {
  const given = report.events.filter(
    (item) =>
      effectsOf(item).some((each) => inside(each, "effect") === "penalty") &&
      !outcomes.withdrawn.has(item.number),
  );
  if (!given.length) return null;
  const where = eventsInWords(given.map(({ number }) => number));
  return element("p", { class: "penalties" }, `Penalties that stand were given in ${where}.`);
}

function officialsListed(report) {
  const outcomes = outcomesOf(report);
  const found = report.events.filter((item) => OFFICIAL_ACTS.has(kindOf(item)));
  const more = found.length - MOST_LISTED;
  if (!found.length && !judgedWhole(report)) return [];
  if (!found.length) return [element("p", { class: "officials" }, "No disputes, no rulings.")];
  return [
    element("h3", {}, "Disputes, rulings, penalties, appeals"),
    penaltiesInWords(report, outcomes),
    element(
      "ul",
      { class: "officials" },
      found.slice(0, MOST_LISTED).map((item) => officialLine(report, outcomes, item)),
    ),
    more > 0 ? element("p", {}, `And ${more} more: see the list of events.`) : null,
  ];
}

export function endSection(report) {
  return element(
    "section",
    { "aria-labelledby": "end-heading" },
    element("h2", { id: "end-heading" }, "How it ends"),
    resultLines(report),
    element("p", { class: "end" }, endInWords(report)),
    refusalLines(report),
    report.faults.length ? element("p", {}, "With the faults found this is not proven.") : null,
    officialsListed(report),
  );
}
