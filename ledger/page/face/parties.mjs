/* Who held which role with which key, and how much of the record each key has signed. */

import { element, eventsInWords, inside, linkTo, quoted } from "./elements.mjs";

/** The events that a holder signed with this key, and those that were written down for the seat. */
function shareOf(report, party) {
  const within = ({ number }) =>
    (number > party.since || party.since === 0) && (party.until === null || number <= party.until);
  const signed = report.events.filter(
    (item) =>
      within(item) &&
      party.keyid !== null &&
      item.keyid === party.keyid &&
      inside(item.event, "by") === party.role,
  );
  const written = report.events.filter(
    (item) => within(item) && inside(item.event, "for") === party.role,
  );
  return { signed: signed.length, written: written.map((item) => item.number) };
}

/** What the key before said to the change, where there was one. */
function consentInWords(report, party) {
  const before = report.parties.find(
    (each) => each.role === party.role && each.until === party.since,
  );
  if (before?.keyid === null) return "before that the arbiter wrote for this seat.";
  if (party.consent) return "the old key signed the change too.";
  return "the old key did not sign that: there is only the word of who put it in.";
}

function partyLine(report, party) {
  const { signed, written } = shareOf(report, party);
  const since = party.since === 0 ? null : ["Since ", linkTo(party.since), ": "];
  const put = party.putInBy ? ["put in by ", quoted(party.putInBy), "; "] : null;
  const change = since ? element("p", {}, since, put, consentInWords(report, party)) : null;
  const until = party.until === null ? null : element("p", {}, "Until ", linkTo(party.until), ".");
  const only = "For these there is only the arbiter's word";
  return element(
    "li",
    { "data-role": party.role },
    element("h3", {}, quoted(party.name), " (", quoted(party.role), ")"),
    element(
      "p",
      {},
      party.keyid === null
        ? "No key: the arbiter writes."
        : ["Key ", element("code", {}, quoted(party.keyid))],
    ),
    change,
    until,
    party.keyid === null ? null : element("p", {}, `Events with this key: ${signed}.`),
    written.length ? element("p", {}, `${only}: ${eventsInWords(written)}.`) : null,
  );
}

/** All holders of a role together, the old before the new; roles in their order. */
function byRole(parties) {
  const roles = [...new Set(parties.map(({ role }) => role))];
  return roles.flatMap((role) => parties.filter((party) => party.role === role));
}

export function partiesSection(report) {
  return element(
    "section",
    { "aria-labelledby": "parties-heading" },
    element("h2", { id: "parties-heading", tabindex: "-1" }, "Who signed what"),
    element(
      "p",
      {},
      "Names and keys are those that the record gives. A signature proves which key signed, " +
        "not whose hand, nor that such a person exists.",
    ),
    element(
      "ul",
      { class: "parties", role: "list" },
      byRole(report.parties).map((each) => partyLine(report, each)),
    ),
  );
}
