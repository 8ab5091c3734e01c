/* The hall as the arbiter sees it: what waits for a ruling first, then what is overdue. */

import { element, quoted } from "../../page/face/elements.mjs";
import { HallBook, fits } from "../hall/hallbook.mjs";
import { nameOf, pairing, put, resultInWords, standingAtFirst } from "../hall/spoken.mjs";
import { tableInWords } from "../hall/spoken.mjs";
import { redraw } from "../table/redrawing.mjs";
import { DeskTables, tablesShown } from "./desktables.mjs";
import { GROUPS, groupOf, waitInWords } from "./urgency.mjs";

const URGENT = GROUPS.length - 2;
const LOOKED_AT_AGAIN = 15_000;
const BY_NUMBER = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function lineShown(line, now) {
  const result = resultInWords(line.result, (seat) => line.seats[seat]);
  const overdue = waitInWords(line, now);
  const scribed = Object.keys(line.seats).filter((seat) => !line.keys.includes(seat));
  return element(
    "li",
    { "data-key": line.match, "data-match": line.match, "data-phase": line.phase },
    element(
      "a",
      { href: `#${line.match}`, "data-key": `to-${line.match}` },
      element("b", {}, tableInWords(line.about, line.match)),
      ": ",
      pairing(Object.values(line.seats)),
    ),
    element("span", { class: "state" }, standingAtFirst(line.phase), overdue ? `, ${overdue}` : ""),
    element(
      "span",
      { class: "waits" },
      line.phase === "closed" && result ? result : quoted(line.next),
    ),
    scribed.length && line.phase !== "closed"
      ? element(
          "span",
          { class: "faint" },
          "You write for ",
          scribed.map((seat, place) => [place ? ", " : "", nameOf(line.seats[seat])]),
        )
      : null,
  );
}

function byTable(one, other) {
  const [table, others] = [one, other].map(({ about }) => about.table ?? "");
  if (!table !== !others) return table ? -1 : 1;
  return BY_NUMBER.compare(table, others) || other.since.localeCompare(one.since);
}

/** The list of all matches. */
export class DeskHall {
  constructor({ room, heading, say, focus, knock }) {
    Object.assign(this, { room, heading, say });
    this.tables = new DeskTables({ draw: () => this.shown && this.draw(), say, focus, knock });
    this.book = new HallBook();
    this.field = element("input", { type: "search", id: "find", autocomplete: "off" });
    this.field.addEventListener("input", () => this.draw());
    this.found = element("p", {
      ...{ role: "status", id: "found", tabindex: "-1", "data-key": "found-all" },
    });
    this.lists = element("div", { tabindex: "-1" });
    const label = element("label", { for: "find" }, "Find a table or a name ");
    this.whole = element(
      "div",
      { class: "hall" },
      element("p", { class: "find", role: "search" }, label, this.field),
      this.found,
      this.lists,
    );
    this.shown = false;
  }

  take(event, data) {
    const news = this.book.take(event, data);
    if (!this.shown) return;
    this.draw();
    news.forEach((sentence) => this.say(sentence));
  }

  enter() {
    this.shown = true;
    this.room.replaceChildren(this.whole);
    put(this.heading, "The arbiter's desk");
    this.timer = setInterval(() => this.draw(), LOOKED_AT_AGAIN);
    this.draw();
    this.tables.enter();
  }

  leave() {
    this.shown = false;
    clearInterval(this.timer);
    this.tables.leave();
  }

  /** Who signs here, and whether they were shut out. */
  become(arbiter, shut) {
    this.tables.become(arbiter, shut);
    if (this.shown) this.draw();
  }

  draw() {
    if (!this.book.told) return;
    const now = Date.now();
    const typed = this.field.value;
    const lines = [...this.book.lines.values()].filter((line) => fits(line, typed)).sort(byTable);
    const grouped = GROUPS.map(([group, title]) => [
      group,
      title,
      lines.filter((line) => groupOf(line, now) === group),
    ]);
    const shown = grouped.map(([group, title, found]) => groupShown(group, title, found, now));
    redraw(this.lists, shown.toSpliced(URGENT, 0, tablesShown(this.tables)));
    const first = grouped.slice(0, URGENT).filter(([, , found]) => found.length);
    const urgent = first.reduce((sum, [, , found]) => sum + found.length, 0);
    const all = typed.trim()
      ? `${lines.length} of ${this.book.lines.size} matches fit.`
      : `${lines.length} matches.`;
    put(this.found, this.book.lines.size ? all : "No match has been opened yet: tabellion open");
    document.title = `${urgent ? `(${urgent}) ` : ""}The arbiter's desk · Tabellion`;
  }
}

function groupShown(group, title, lines, now) {
  if (!lines.length) return null;
  const items = element(
    "ul",
    { class: "lines" },
    lines.map((line) => lineShown(line, now)),
  );
  if (group === "over") {
    return element(
      "details",
      { "data-key": group },
      element("summary", {}, `${title}: ${lines.length}`),
      items,
    );
  }
  return element(
    "section",
    { "data-key": group, class: `group ${group}`, "aria-labelledby": `group-${group}` },
    element("h2", { id: `group-${group}` }, `${title}: ${lines.length}`),
    items,
  );
}
