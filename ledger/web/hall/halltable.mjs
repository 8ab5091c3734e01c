/* The hall as a table: a row for each match by its table, what it waits for, how it ended. Rows
   stay where they are while words in them change, so that nobody's finger or focus slips. */

import { element, plainWords, quoted } from "../../page/face/elements.mjs";
import { fits } from "./hallbook.mjs";
import { pairing, put, resultInWords } from "./spoken.mjs";
import { sinceInWords, standingAtFirst, tableInWords } from "./spoken.mjs";

const GRAVE = new Map([
  ["disputed", "⚑ "],
  ["appealed", "⚑ "],
]);

/** A row, with explicit roles: on a phone its cells stand below each other, and some browsers take
a table that is laid out so for none. */
class HallRow {
  constructor(match) {
    this.link = element("a", { href: `/match/${match}` });
    this.rules = element("td", { role: "cell", class: "rules" });
    this.state = element("td", { role: "cell", class: "state" });
    this.waits = element("td", { role: "cell", class: "waits" });
    const names = element("th", { role: "rowheader", scope: "row" }, this.link);
    const cells = [names, this.rules, this.state, this.waits];
    this.row = element("tr", { role: "row", "data-match": match }, cells);
  }

  show(line) {
    const result = resultInWords(line.result, (seat) => line.seats[seat]);
    this.row.dataset.phase = line.phase;
    put(
      this.link,
      element("b", {}, tableInWords(line.about, line.match)),
      ": ",
      pairing(Object.values(line.seats)),
    );
    put(this.rules, quoted(line.ruleset));
    put(
      this.state,
      GRAVE.get(line.phase) ?? "",
      standingAtFirst(line.phase),
      line.phase === "closed" ? "" : [", ", sinceInWords(line.since)],
    );
    put(this.waits, result && line.phase === "closed" ? result : quoted(line.next));
  }
}

class HallTable {
  constructor(name, lastColumn) {
    const heads = ["Match", "Rules", "State", lastColumn].map((text) =>
      element("th", { role: "columnheader", scope: "col" }, text),
    );
    this.body = element("tbody", { role: "rowgroup" });
    this.caption = element("caption", {}, name);
    this.made = element(
      "table",
      { role: "table", class: "matches" },
      this.caption,
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, heads)),
      this.body,
    );
  }

  /** Puts the rows into this order and moves only those that stand elsewhere. */
  show(rows) {
    const focused = document.activeElement;
    for (const row of [...this.body.children]) if (!rows.includes(row)) row.remove();
    rows.forEach((row, place) => {
      const there = this.body.children[place];
      if (there !== row) this.body.insertBefore(row, there ?? null);
    });
    this.made.hidden = rows.length === 0;
    if (focused !== document.activeElement && this.body.contains(focused)) focused.focus();
  }
}

export class HallView {
  constructor({ room, heading }) {
    this.heading = heading;
    this.rows = new Map();
    this.open = new HallTable("Matches that are open", "Waits for");
    this.closed = new HallTable("Matches that are closed", "Result");
    this.field = element("input", { type: "search", id: "find", autocomplete: "off" });
    this.found = element("p", { role: "status", id: "found" });
    this.summary = element("summary", {});
    this.folded = element("details", {}, this.summary, this.closed.made);
    this.field.addEventListener("input", () => this.show(this.book));
    const label = element("label", { for: "find" }, "Find a table or a name ");
    const find = element("p", { class: "find", role: "search" }, label, this.field);
    room.replaceChildren(find, this.found, this.open.made, this.folded);
  }

  show(book) {
    this.book = book;
    if (!book?.told) return;
    const typed = this.field.value;
    const asked = (lines) => lines.filter((line) => fits(line, typed));
    const [open, closed] = [asked(book.open), asked(book.closed)];
    this.open.show(open.map((line) => this.rowOf(line)));
    this.closed.show(closed.map((line) => this.rowOf(line)));
    for (const match of this.rows.keys()) if (!book.lines.has(match)) this.rows.delete(match);
    put(this.summary, `Closed: ${closed.length}`);
    this.folded.hidden = closed.length === 0;
    if (typed.trim() && closed.length && !open.length) this.folded.open = true;
    put(this.found, countInWords(book, typed, open.length + closed.length));
    put(this.heading, "The hall");
    document.title = `The hall: ${book.open.length} open · Tabellion`;
  }

  rowOf(line) {
    const row = this.rows.get(line.match) ?? new HallRow(line.match);
    this.rows.set(line.match, row);
    row.show(line);
    return row.row;
  }
}

function countInWords(book, typed, found) {
  if (!book.lines.size) return "No match has been opened yet.";
  if (typed.trim()) return `${found} of ${book.lines.size} matches fit.`;
  const disputed = book.open.filter(({ phase }) => phase === "disputed");
  const tables = disputed.map((line) => plainWords(tableInWords(line.about, line.match)));
  const grave = tables.length ? ` Disputed: ${tables.join(", ")}.` : "";
  return `${book.open.length} open, ${book.closed.length} closed.${grave}`;
}
