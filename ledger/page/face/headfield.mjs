/* The head hash, to be read aloud, and the digits of a score sheet to compare it with. Without
   them a record that was cut off at its end looks like any other. */

import { element, inGroups, linkTo } from "./elements.mjs";

const FEWEST_DIGITS = 32;
const ALL_DIGITS = 64;

/** Whether one hash stands for all events: only where nothing around, in or between them is
damaged, and none is left unchecked, does each carry the hash of the one before. Key and signature
have no part in a hash. */
export function vouchesForAll(report) {
  const against = ["file", "form", "chain", "signature"];
  const broken = ({ check, code }) => against.includes(check) || code === "wrong-signer";
  return !report.faults.some(broken) && report.events.every(({ checks }) => checks.chain === true);
}

/** What the digits of the score sheet say of this record: a state and words. */
function comparedHead(report, typed) {
  const digits = typed.toLowerCase().replace(/[\s.:,·_-]/gu, "");
  if (!digits) return { state: "none", words: "" };
  if (!/^[0-9a-f]*$/u.test(digits)) {
    return {
      state: "unreadable",
      words: "These are not digits of a hash: only 0 to 9 and a to f are.",
    };
  }
  if (digits.length < FEWEST_DIGITS || digits.length > ALL_DIGITS) {
    const words = `${digits.length} digits are given, ${FEWEST_DIGITS} to ${ALL_DIGITS} wanted.`;
    return { state: "unreadable", words };
  }
  const fits = (hash) => hash !== null && hash.startsWith(digits);
  if (fits(report.head) && !vouchesForAll(report)) {
    const words =
      `These are digits of the last event (${digits.length} of ${ALL_DIGITS} compared). ` +
      "The record is broken: that says nothing about what stands before it.";
    return { state: "broken", words };
  }
  if (fits(report.head)) {
    return { state: "same", words: `The same: ${digits.length} of ${ALL_DIGITS} digits compared.` };
  }
  const earlier = report.events.findLast((item) => fits(item.hash));
  if (!earlier) {
    const words =
      "Not the same: no event here has this hash. This is another match, an altered one, " +
      "or one that was cut off.";
    return { state: "different", words };
  }
  const words = [
    "Not the same as the head, but that of ",
    linkTo(earlier.number),
    vouchesForAll(report)
      ? ": what follows was added after the sheet was signed."
      : ". The record is broken: that says nothing about what stands before or after it.",
  ];
  return { state: "earlier", words };
}

export function headSection(report) {
  const answer = element("p", { id: "head-answer", role: "status", "data-head": "none" });
  const field = element("input", {
    id: "head-field",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "none",
    "aria-describedby": "head-answer",
  });
  field.addEventListener("input", () => {
    const { state, words } = comparedHead(report, field.value);
    answer.dataset.head = state;
    answer.replaceChildren(...[words].flat());
  });
  return element(
    "section",
    { "aria-labelledby": "head-heading" },
    element("h2", { id: "head-heading", tabindex: "-1" }, "The head of the record"),
    report.head === null
      ? element("p", {}, "The last event cannot be read: there is no head hash.")
      : element("p", { id: "head" }, inGroups(report.head)),
    element(
      "p",
      {},
      vouchesForAll(report)
        ? "This is the hash of the last event. If the score sheet has the same, nothing was " +
            "changed, added or cut off since it was written there."
        : "This is the hash of the last event, and of that alone: with what was found wrong, or " +
            "could not be checked, it says nothing about what stands before it.",
    ),
    element(
      "p",
      { class: "asked" },
      element(
        "label",
        { for: "head-field" },
        "Head hash on the score sheet, all 64 digits or the first 32: ",
      ),
      field,
    ),
    answer,
  );
}
