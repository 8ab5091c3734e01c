/* The other acts of the arbiter's own: closing, disputes, statements, notes, adjourning, refusals
   to sign; and which command does what this page does not. */

import { element, plainWords, quoted } from "../../page/face/elements.mjs";
import { keyInGroups, resultInWords } from "../hall/spoken.mjs";
import { filledIn, folded, pressed } from "../table/controls.mjs";
import { choiceField, isComplete, lineField, numberIn } from "./formfields.mjs";
import { pointAt, textField, typedIn } from "./formfields.mjs";
import { scribedSeats, seatInWords } from "./proposal.mjs";

/** The result is there: it has to be closed with. */
export function closingField(sitting) {
  const { show, facts, busy } = sitting;
  if (facts.closing === null) return null;
  const seats = new Map(show.seats.map(({ seat, name }) => [seat, name]));
  const close = () =>
    sitting.propose({
      ...{ title: "Close the match", yes: "Sign the result" },
      drafts: [{ type: "match.closed", data: facts.closing }],
    });
  return element(
    "section",
    { class: "closing", "data-key": "closing", "aria-labelledby": "closing-title" },
    element("h3", { id: "closing-title" }, "The game is over"),
    element(
      "p",
      {},
      resultInWords(facts.closing.result, (seat) => seats.get(seat)),
      ".",
    ),
    pressed("close", "Close the match …", close, { off: busy, kind: "main" }),
  );
}

/** A player who does not sign the result. */
export function refusalToSign(sitting) {
  const { show, facts, busy } = sitting;
  if (!facts.unsigned.length) return null;
  const pairs = facts.unsigned.map((seat) => [seat, plainWords(seatInWords(show, seat))]);
  const send = (form) => {
    if (!isComplete(sitting, form)) return undefined;
    const reason = typedIn(form, "reason");
    const data = { result_event: facts.result_event, seat: typedIn(form, "seat"), reason };
    return sitting.propose({
      ...{ title: "A player does not sign the result", yes: "Sign that", form },
      drafts: [{ type: "signature.refused", data }],
    });
  };
  return folded(
    "unwilling",
    "A player does not sign the result",
    filledIn(
      ...["unwilling-form", "Write it down …", send, { off: busy }],
      choiceField("unwilling-seat", "seat", "Who", pairs),
      lineField(sitting, "unwilling-reason", "reason", "Why, as you saw it", { needed: true }),
    ),
  );
}

export function wordsForTheRecord(sitting) {
  return folded(
    "words",
    "Statement, note, dispute",
    statementForm(sitting),
    noteForm(sitting),
    disputeForm(sitting),
  );
}

function statementForm(sitting) {
  const { show, facts, busy } = sitting;
  if (facts.at_issue === null) return null;
  const speakers = [
    ["", "the arbiter"],
    ...scribedSeats(show).map((seat) => [seat, plainWords(seatInWords(show, seat))]),
  ];
  const send = (form) => {
    if (!isComplete(sitting, form)) return undefined;
    const [text, seat] = [typedIn(form, "text"), typedIn(form, "seat")];
    const draft = {
      type: "statement",
      data: { about: facts.at_issue, text },
      ...(seat ? { for: seat } : {}),
    };
    return sitting.propose({
      title: "A statement",
      yes: "Sign the statement",
      drafts: [draft],
      form,
    });
  };
  return filledIn(
    ...["statement-form", "Write the statement down …", send, { off: busy }],
    choiceField("statement-seat", "seat", "Said by", speakers),
    textField(sitting, "statement-text", "text", "Statement on the dispute or the appeal", {
      needed: true,
    }),
  );
}

function noteForm(sitting) {
  const send = (form) => {
    if (!isComplete(sitting, form)) return undefined;
    const text = typedIn(form, "text");
    return sitting.propose({
      title: "A note",
      yes: "Sign the note",
      drafts: [{ type: "note", data: { text } }],
      form,
    });
  };
  return filledIn(
    "note-form",
    "Note it …",
    send,
    { off: sitting.busy },
    textField(sitting, "note-text", "text", "Note for the record", { needed: true }),
  );
}

function disputeForm(sitting) {
  const { show, busy } = sitting;
  if (show.dispute || show.phase !== "in-play") return null;
  const send = (form) => {
    if (!isComplete(sitting, form)) return undefined;
    const [event, text] = [numberIn(form, "event"), typedIn(form, "text")];
    if (event === null || event > show.seq)
      return pointAt(sitting, "dispute-event", `This is an event from 0 to ${show.seq}.`);
    const drafts = [{ type: "dispute.raised", data: { event, text } }];
    return sitting.propose({
      title: "A dispute: the match stops",
      yes: "Sign the dispute",
      drafts,
      form,
    });
  };
  return filledIn(
    ...["dispute-form", "Raise a dispute …", send, { off: busy }],
    lineField(sitting, "dispute-event", "event", "The event complained of", {
      ...{ numeric: true, longest: 9, needed: true },
    }),
    textField(sitting, "dispute-text", "text", "The complaint, and whose it is", { needed: true }),
  );
}

/** Adjourning and resuming, without sealed moves. */
export function restingField(sitting) {
  const { show, facts, busy } = sitting;
  if (show.phase === "in-play") {
    const send = (form) => {
      const until = typedIn(form, "until");
      const drafts = [{ type: "adjourned", data: until ? { until } : {} }];
      return sitting.propose({ title: "Adjourn the game", yes: "Sign it", drafts, form });
    };
    const until = lineField(sitting, "until", "until", "Until when, in words; may be left out");
    return folded(
      "adjourn",
      "Adjourn",
      filledIn("adjourn-form", "Adjourn …", send, { off: busy }, until),
    );
  }
  if (show.phase !== "adjourned") return null;
  if (facts.sealed !== null) {
    return element(
      "p",
      { "data-key": "sealed" },
      seatInWords(show, facts.sealed),
      " has sealed a move. It is opened on the command line: ",
      command("resume --open -", show),
      ".",
    );
  }
  const resume = () =>
    sitting.propose({
      title: "Resume the game",
      yes: "Sign it",
      drafts: [{ type: "resumed", data: {} }],
    });
  return pressed("resume", "Resume the game …", resume, { off: busy, kind: "main" });
}

function command(words, { match }) {
  return element("code", {}, `tabellion ${words} -m ${match.slice(0, 12)}`);
}

export function onTheCommandLine({ show }) {
  const lines = [
    ["A lost phone or another key: ", "replace-key SEAT --join"],
    ["Seal a move: ", "adjourn --seal -"],
    ["A witness signs instead of somebody absent: ", "countersign --absent SEAT"],
    ["The score sheet: ", "scoresheet"],
  ];
  return folded(
    "commands",
    "What the command line does",
    element(
      "ul",
      {},
      lines.map(([words, typed]) => element("li", {}, words, command(typed, show))),
    ),
    element("p", {}, "A new match: ", element("code", {}, "tabellion open"), "."),
  );
}

/** Officials and rules of the match, for whoever has to decide. */
export function factsOfMatch({ show }) {
  const changed = Object.entries(show.changed_options).map(([name, value]) => `${name}=${value}`);
  return folded(
    "facts",
    "Rules, keys, downloads",
    element(
      "p",
      {},
      "Rules: ",
      quoted(show.ruleset),
      changed.length ? [" with ", quoted(changed.join(", "))] : "",
      ".",
    ),
    show.seats.map(({ seat, keyid }) =>
      element(
        "p",
        {},
        "Key of ",
        seatInWords(show, seat),
        ": ",
        keyid ? keyInGroups(keyid) : "none, you write",
      ),
    ),
    element(
      "p",
      {},
      element(
        "a",
        { href: `/api/matches/${show.match}/record`, download: true },
        "The record of this match",
      ),
    ),
    element("p", {}, element("a", { href: `/match/${show.match}` }, "As spectators see it")),
  );
}
