/* The matches of the hall as the server last told of them: by table, found by table or name. */

import { inside, plainWords } from "../../page/face/elements.mjs";
import { resultInWords, standingInWords, tableInWords } from "./spoken.mjs";

const GAPS = /[\s,.;:()-]+/u;
const FEWEST_OF_ID = 6;
const BY_TABLE = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export function isClosed(line) {
  return line.phase === "closed";
}

/** As people type it: neither case nor accents matter. */
function plainly(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** All words that a line can be found by. */
function foundBy(line) {
  const about = Object.entries(line.about).map(([name, text]) => `${name} ${text}`);
  const short = `t${inside(line.about, "table") ?? ""}`;
  const words = [...about, short, ...Object.values(line.seats), line.ruleset];
  return plainly([...words, standingInWords(line.phase)].join("\n"));
}

/** Whether every word that was typed is the beginning of a word of the line, "table 4" not that of
"table 14"; or enough of the match's id. */
export function fits(line, typed) {
  const there = foundBy(line).split(GAPS);
  const begins = (each) => there.some((found) => found.startsWith(each));
  const names = (each) => each.length >= FEWEST_OF_ID && line.match.startsWith(each);
  return plainly(typed)
    .split(GAPS)
    .every((each) => begins(each) || names(each));
}

/** Tables in their order; a match without one last, the newest first. */
function inOrder(one, other) {
  const [table, others] = [one, other].map((line) => inside(line.about, "table") ?? "");
  if (!table !== !others) return table ? -1 : 1;
  return BY_TABLE.compare(table, others) || (other.since ?? "").localeCompare(one.since ?? "");
}

/** What is worth hearing of a change in another match: a dispute, an ending; never every move. */
export function newsOf(before, line) {
  if (before && before.phase === line.phase) return null;
  const told = ["disputed", "adjourned", "ended", "closed", "appealed"];
  const resumed = before && line.phase === "in-play";
  if (!told.includes(line.phase) && !resumed) return null;
  const result = resultInWords(line.result, (seat) => line.seats[seat]);
  const ending = result ? [", ", result] : [];
  return plainWords([
    tableInWords(line.about, line.match),
    `: ${standingInWords(line.phase)}`,
    ending,
    ".",
  ]);
}

export class HallBook {
  constructor() {
    this.lines = new Map();
    this.told = false;
  }

  /** Takes what the server sent; gives the news in it, as sentences. */
  take(name, data) {
    if (name === "hall") {
      this.lines = new Map(data.matches.map((line) => [line.match, line]));
      this.told = true;
      return [];
    }
    if (name !== "line") return [];
    const news = newsOf(this.lines.get(data.match), data);
    this.lines.set(data.match, data);
    return news ? [news] : [];
  }

  get open() {
    return [...this.lines.values()].filter((line) => !isClosed(line)).sort(inOrder);
  }

  get closed() {
    return [...this.lines.values()].filter(isClosed).sort(inOrder);
  }
}
