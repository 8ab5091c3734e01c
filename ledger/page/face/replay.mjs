/* The match step by step: the board after each event as the sender's program computed it, what
   the event says, and the list of all events. Nothing here decides what is right. */

import { countsInWords, legendOf, readBoard } from "./boards.mjs";
import { drawBoard, drawDice } from "./drawing.mjs";
import { element, inside, listOf, quoted } from "./elements.mjs";
import { eventList } from "./eventlist.mjs";
import { eventDetails } from "./eventdetails.mjs";
import { remarksOn } from "./remarks.mjs";
import { tell } from "./telling.mjs";
import { waitingAfter } from "./waiting.mjs";

const STEP = 1200;
const CALM_STEP = 3000;

const BOARDS_ARE_CLAIMED =
  "The boards are drawn as the sender's program computed them. " +
  "This page does not check them by the rules.";
const NO_BOARDS =
  "There are no boards to show: this file carries none that can be read, only the signed events, " +
  "and a page that knows no rules cannot draw any.";

const KEYS_ARE =
  "Keys at the board and in the list: left and right for one event, Home and End for the first and " +
  "the last; in the list up and down for the next line that is shown.";

/** A number from `#e37`; `null` for any other address. */
export function eventInAddress(address) {
  const found = /^#e(\d{1,8})$/u.exec(address);
  return found ? Number(found[1]) : null;
}

function legendShown(board) {
  const words = legendOf(board).flatMap(({ sign, meaning }) => [
    element("dt", {}, quoted(sign)),
    element("dd", {}, quoted(meaning)),
  ]);
  const counts = countsInWords(board);
  return [
    words.length ? element("dl", { class: "legend" }, words) : null,
    counts.length ? element("p", { class: "counts" }, quoted(counts.join(" "))) : null,
  ];
}

class Replay {
  constructor(report) {
    this.report = report;
    this.current = 0;
    this.turned = false;
    this.timer = null;
    this.last = report.events.length - 1;
    this.list = eventList(report);
    this.board = element("div", { class: "table", tabindex: "0", role: "group" });
    this.board.setAttribute("aria-label", "Board");
    this.headline = element("div", { class: "headline", "aria-live": "polite" });
    this.details = element("div", { class: "details" });
    this.play = this.button("Play", () => (this.timer ? this.pause() : this.start()));
    this.diced = listOf(report.positions).some((board) => listOf(inside(board, "dice")).length);
    this.section = this.build();
  }

  button(words, act) {
    const made = element("button", { type: "button" }, words);
    made.addEventListener("click", act);
    return made;
  }

  build() {
    const step = (by) => () => this.step(by);
    this.controls = {
      first: this.button("First", () => this.jump(0)),
      previous: this.button("Previous", step(-1)),
      next: this.button("Next", step(1)),
      last: this.button("Last", () => this.jump(this.last)),
    };
    const { first, previous, next, last } = this.controls;
    const turn = this.button("Turn the board", () => {
      this.turned = !this.turned;
      this.draw();
    });
    const boards = this.report.positions;
    return element(
      "section",
      { "aria-labelledby": "replay-heading", id: "replay" },
      element("h2", { id: "replay-heading" }, "The match, event by event"),
      element(
        "div",
        { class: boards ? "stage" : "stage boardless" },
        element("div", { class: "controls", role: "group", "aria-label": "Steps" }, [
          first,
          previous,
          this.play,
          next,
          last,
          boards ? turn : null,
        ]),
        this.headline,
        element(
          "div",
          { class: "seen" },
          boards ? this.board : null,
          element("p", { class: "claimed" }, boards ? BOARDS_ARE_CLAIMED : NO_BOARDS),
          this.details,
        ),
        element(
          "div",
          { class: "listed" },
          element("h3", {}, "All events"),
          element("p", { class: "keys" }, KEYS_ARE),
          this.list.chooser,
          this.list.columns,
          this.list.list,
        ),
      ),
    );
  }

  /** A step of the reader's own, which the address follows. */
  jump(number, { playing = false } = {}) {
    if (!playing) this.pause();
    this.show(number);
    history.replaceState(null, "", `#e${this.current}`);
  }

  step(by) {
    this.jump(Math.min(Math.max(this.current + by, 0), this.last));
  }

  start() {
    if (this.current === this.last) this.show(0);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.timer = setInterval(
      () => {
        this.jump(Math.min(this.current + 1, this.last), { playing: true });
        if (this.current === this.last) this.pause();
      },
      calm ? CALM_STEP : STEP,
    );
    this.play.textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  }

  show(number) {
    this.current = Math.min(Math.max(number, 0), this.last);
    const item = this.report.events[this.current];
    const listening = this.list.list.contains(document.activeElement);
    this.headline.setAttribute("aria-live", listening ? "off" : "polite");
    this.list.mark(this.current);
    this.draw();
    this.headline.replaceChildren(
      element("h3", {}, `Event ${this.current}`),
      element("p", { class: "sentence" }, tell(this.report, this.current)),
      ...remarksOn(this.report, item).map((remark) => element("p", {}, remark)),
      ...this.standing(),
    );
    this.details.replaceChildren(eventDetails(this.report, this.current));
    this.section.dataset.event = this.current;
    for (const [name, end] of Object.entries({
      first: 0,
      previous: 0,
      next: this.last,
      last: this.last,
    })) {
      this.controls[name].setAttribute("aria-disabled", String(this.current === end));
    }
  }

  standingBoard() {
    return listOf(this.report.positions)[this.current] ?? null;
  }

  diceLying() {
    return listOf(inside(this.standingBoard(), "dice")).slice(0, 8);
  }

  /** Whom the match waits for and, as the sender has it, what dice lie there. */
  standing() {
    const turn = inside(this.standingBoard(), "turn") ?? null;
    const waits = waitingAfter(this.report, this.current, turn);
    const dice = this.diceLying();
    return [
      waits === null ? null : element("p", { class: "waiting" }, waits),
      dice.length ? element("p", {}, "Dice on the table: ", quoted(dice.join("-"))) : null,
    ].filter(Boolean);
  }

  draw() {
    const standing = this.standingBoard();
    if (standing === null) return;
    const board = readBoard(inside(standing, "board"));
    const text = element(
      "p",
      { class: "position" },
      element("span", { class: "label" }, "Position: "),
      element("code", {}, quoted(inside(standing, "position"))),
    );
    if (board === null) {
      const sorry = "The board that this file gives here has no form that could be drawn.";
      this.board.replaceChildren(element("p", {}, sorry), text);
      return;
    }
    const lying = this.diceLying();
    this.board.replaceChildren(
      ...(this.diced
        ? [element("div", { class: "lying" }, lying.length ? drawDice(lying) : null)]
        : []),
      drawBoard(board, this.turned),
      ...legendShown(board).filter(Boolean),
      text,
    );
  }

  /** Whether the reader is at the board: in this part of the page, or nowhere with it in sight. */
  attended(at) {
    if (this.section.contains(at)) return true;
    const { top, bottom } = this.section.getBoundingClientRect();
    return at === document.body && top < innerHeight / 2 && bottom > innerHeight / 2;
  }

  /** Keys of the board: where nothing else takes them. Up and down go from line to line, in the
      list alone. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.target;
    if (at instanceof HTMLInputElement || at instanceof HTMLSelectElement) return;
    if (!this.attended(at)) return;
    const line = (by) => () => this.jump(this.list.beside(by) ?? this.current);
    const inList = this.list.list.contains(at);
    const steps = new Map([
      ["ArrowLeft", () => this.step(-1)],
      ["ArrowRight", () => this.step(1)],
      ["Home", () => this.jump(0)],
      ["End", () => this.jump(this.last)],
      ...(inList
        ? [
            ["ArrowUp", line(-1)],
            ["ArrowDown", line(1)],
          ]
        : []),
    ]);
    const act = steps.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** The replay of a report; the match stands at the event of the address, or at its end. */
export function replay(report) {
  const made = new Replay(report);
  made.show(eventInAddress(location.hash) ?? made.last);
  return made;
}
