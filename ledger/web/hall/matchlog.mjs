/* The events of a match in words, the latest first. What was taken back is struck, and a word says
   so. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { oclock } from "./spoken.mjs";

const SHOWN_AT_FIRST = 30;
const SHOWN_ON_SCREEN = 5;
const SHORT_HASH = 12;

/** What speaks for itself elsewhere, or only prepares the dice: not worth reading out. */
const SILENT = ["dice.committed"];

function whoSigned(line) {
  return line.for ? `${line.by} for ${line.for}` : line.by;
}

function eventItem(line) {
  const gone = line.superseded || line.void;
  const words = quoted(line.text);
  const why = line.void ? " (void)" : " (taken back)";
  const moment = new Date(line.at);
  const time = Number.isNaN(moment.getTime()) ? null : oclock(moment);
  return element(
    "li",
    { value: line.seq, "data-seq": line.seq, "data-type": line.type },
    element("span", { class: "words" }, gone ? [element("s", {}, words), why] : words),
    line.breaches.map((text) => element("strong", { class: "breach" }, quoted(` (${text})`))),
    element(
      "span",
      { class: "signed" },
      "signed by ",
      quoted(whoSigned(line)),
      time ? [", ", element("time", { datetime: moment.toISOString() }, time)] : null,
      ", ",
      inGroups(line.hash.slice(0, SHORT_HASH)),
    ),
  );
}

function isSpoken({ type }) {
  return !SILENT.includes(type);
}

/** What happened, as sentences for those who listen. */
export function spokenLines(lines) {
  return lines.filter(isSpoken).map(({ text }) => `${text}.`);
}

export class MatchLog {
  constructor(onScreen) {
    this.first = onScreen ? SHOWN_ON_SCREEN : SHOWN_AT_FIRST;
    this.onScreen = onScreen;
    this.list = element("ol", { class: "log", reversed: true });
    this.more = element("button", { type: "button", hidden: true }, "Show all events");
    this.section = element(
      "section",
      { "aria-labelledby": "log-heading", class: "logged" },
      element("h2", { id: "log-heading" }, "What happened"),
      this.list,
      this.more,
    );
    this.whole = false;
    this.items = new Map();
    this.lines = [];
    this.more.addEventListener("click", () => {
      this.whole = true;
      const reached = this.list.lastElementChild;
      this.show(this.lines);
      const next = reached?.nextElementSibling;
      next?.setAttribute("tabindex", "-1");
      next?.focus();
    });
  }

  /** Shows the lines; an item whose line is as it was stays where it is. */
  show(lines) {
    this.lines = lines;
    const told = this.onScreen ? lines.filter(isSpoken) : lines;
    const shown = (this.whole ? told : told.slice(-this.first)).toReversed();
    const kept = new Map(shown.map((line) => [line.seq, this.itemOf(line)]));
    this.items = kept;
    const items = [...kept.values()].map(({ item }) => item);
    for (const item of [...this.list.children]) if (!items.includes(item)) item.remove();
    items.forEach((item, place) => {
      const there = this.list.children[place];
      if (there !== item) this.list.insertBefore(item, there ?? null);
    });
    this.more.hidden = this.onScreen || shown.length === lines.length;
    this.more.textContent = `Show all ${lines.length} events`;
  }

  itemOf(line) {
    const before = this.items.get(line.seq);
    const same = ["hash", "text", "superseded", "void"];
    const still = before && same.every((name) => before.line[name] === line[name]);
    return still && before.line.breaches.length === line.breaches.length
      ? before
      : { line, item: eventItem(line) };
  }
}
