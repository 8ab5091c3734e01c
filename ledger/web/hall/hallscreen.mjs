/* The hall on a projector: large cards, nothing to press. Few of them grow until they fill it; where
   they do not fit, they take turns; a dispute is never turned away from. The space bar holds the
   leaf that is shown, arrows turn it. */

import { element, quoted } from "../../page/face/elements.mjs";
import { nameOf, put, resultInWords, standingAtFirst, tableInWords } from "./spoken.mjs";

const LEAF_LASTS = 12_000;
const APPEARS_IN = 400;
const CLOSED_SHOWN = 24;
const LONGEST_SENTENCE = 120;
const SIZES = ["largest", "large", "usual"];

function cardOf(line) {
  const result = resultInWords(line.result, (seat) => line.seats[seat]);
  const awaited = line.phase === "closed" ? [] : line.due.whose;
  const names = Object.entries(line.seats).map(([seat, name]) =>
    element("p", { class: "name" }, awaited.includes(seat) ? "▶ " : "", nameOf(name)),
  );
  const grave = line.phase === "disputed" || line.phase === "appealed";
  const state = grave ? element("strong", {}, ` ⚑ ${standingAtFirst(line.phase)}`) : null;
  return element(
    "li",
    { class: "card", "data-match": line.match, "data-phase": line.phase },
    element("h2", {}, tableInWords(line.about, line.match), state),
    names,
    offersOn(line).map(({ seat, text }) =>
      element("p", { class: "offer" }, nameOf(line.seats[seat]), " offers ", quoted(text)),
    ),
    element("p", { class: "waits" }, result ?? quoted(line.next, LONGEST_SENTENCE)),
  );
}

/** While a match is held up or adjourned nobody answers. */
function offersOn({ phase, offers }) {
  return phase === "in-play" ? offers : [];
}

export class HallScreen {
  constructor({ room, heading }) {
    this.heading = heading;
    this.list = element("ul", { class: "cards" });
    this.leaf = 0;
    this.held = false;
    this.lines = [];
    room.replaceChildren(this.list);
    setInterval(() => this.held || this.turn(1), LEAF_LASTS);
    window.addEventListener("resize", () => this.lay());
    document.addEventListener("keydown", ({ key }) => {
      if (key === " ") this.held = !this.held;
      if (key === "ArrowRight") this.turn(1);
      if (key === "ArrowLeft") this.turn(-1);
      this.lay();
    });
  }

  show(book) {
    if (!book.told) return;
    const grave = ({ phase }) => phase === "disputed";
    const [open, closed] = [book.open, book.closed];
    const latest = [...closed].sort((one, other) => (one.since < other.since ? 1 : -1));
    this.lines = [
      ...open.filter(grave),
      ...open.filter((line) => !grave(line)),
      ...latest.slice(0, CLOSED_SHOWN),
    ];
    this.counted = `${open.length} open, ${closed.length} closed`;
    document.title = `The hall: ${open.length} open · Tabellion`;
    this.lay();
  }

  /** How many cards there is room for: their size stands in the style. */
  get room() {
    const style = getComputedStyle(this.list);
    const across = style.gridTemplateColumns.split(" ").length;
    const gap = Number.parseFloat(style.rowGap) || 0;
    const high = style.getPropertyValue("--lines") * Number.parseFloat(style.fontSize);
    const down = Math.floor((this.list.clientHeight + gap) / (high + gap));
    return Math.max(1, across * down);
  }

  /** Takes the largest size in which all fit, the usual one where none does. */
  grow() {
    for (const size of SIZES) {
      this.list.dataset.size = size;
      const style = getComputedStyle(this.list);
      const wide = style.getPropertyValue("--wide") * Number.parseFloat(style.fontSize);
      if (wide <= this.list.clientWidth && this.lines.length <= this.room) return;
    }
  }

  turn(by) {
    const leaves = Math.max(1, Math.ceil(this.lines.length / this.room));
    const next = (this.leaf + by + leaves) % leaves;
    if (next === this.leaf) return;
    this.leaf = next;
    this.lay();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!calm) this.list.animate([{ opacity: 0 }, { opacity: 1 }], APPEARS_IN);
  }

  lay() {
    this.grow();
    const room = this.room;
    const leaves = Math.max(1, Math.ceil(this.lines.length / room));
    this.leaf = Math.min(this.leaf, leaves - 1);
    const lines = this.lines.slice(this.leaf * room, (this.leaf + 1) * room);
    const cards = lines.map(cardOf);
    const nothing = element("li", { class: "card" }, "No match has been opened yet.");
    this.list.replaceChildren(...(this.lines.length ? cards : [nothing]));
    this.list.dataset.leaf = `${this.leaf + 1}`;
    this.list.dataset.leaves = leaves > 1 ? "several" : "one";
    const which = leaves > 1 ? ` · ${this.leaf + 1} of ${leaves}${this.held ? ", held" : ""}` : "";
    put(this.heading, `The hall: ${this.counted ?? ""}${which}`);
  }
}
