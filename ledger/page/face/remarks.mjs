/* What there is to say of an event beside what it says itself: faults, what does not count any
   more and why, and who wrote it down for whom. */

import { element, inside, quoted } from "./elements.mjs";
import { eventOf, rollOf } from "./told.mjs";

/** `fault`, `unchecked`, `superseded` or `ok`. */
export function stateOfEvent(report, item) {
  if (item.faults.length) return "fault";
  if (item.event === null || item.checks.signature === null) return "unchecked";
  return lapsed(report, item) === null ? "ok" : "superseded";
}

/** Why dice do not count: "voided by event 14: a die was cocked". */
export function voidedInWords(report, roll) {
  const type = inside(eventOf(report, roll.voided), "type");
  if (type !== "roll.voided" && type !== "roll.confirmed") {
    return [`does not count since event ${roll.voided}`];
  }
  const said = report.events.findLast(
    ({ number, event }) =>
      number <= roll.voided &&
      inside(event, "type") === "roll.voided" &&
      inside(event, "data", "roll") === roll.roll,
  );
  const reason = inside(said?.event, "data", "reason");
  const why = reason === undefined ? "" : [": ", quoted(reason)];
  return [`does not count (voided by event ${roll.voided}`, why, ")"];
}

/** Why an event counts no more in the game as it stands; `null` where it does. */
function lapsed(report, item) {
  const roll = rollOf(report, item.number);
  if (roll && roll.voided !== null) return voidedInWords(report, roll);
  const back = report.superseded.get(item.number);
  return back === undefined ? null : [`taken back by event ${back}`];
}

export function remarksOn(report, item) {
  const remarks = item.faults.map((fault) =>
    element("strong", { class: "remark fault" }, "FAULT: ", quoted(fault.text)),
  );
  if (!item.faults.length && stateOfEvent(report, item) === "unchecked") {
    remarks.push(element("strong", { class: "remark" }, "not checked"));
  }
  const back = lapsed(report, item);
  if (back !== null) remarks.push(element("span", { class: "remark" }, back));
  const seat = inside(item.event, "for");
  if (seat !== undefined) {
    const by = inside(item.event, "by") === "arbiter" ? "the arbiter" : quoted(item.event.by);
    remarks.push(element("span", { class: "remark" }, "written by ", by, " for ", quoted(seat)));
  }
  return remarks;
}
