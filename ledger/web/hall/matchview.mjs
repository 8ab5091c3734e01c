/* One match for those who look on: the board, whose turn it is, what happened. What the screen of
   the hall shows is the same, without anything to press. */

import { countsInWords, legendOf } from "../../page/face/boards.mjs";
import { drawBoard, drawDice } from "../../page/face/drawing.mjs";
import { element, inGroups, plainWords, quoted } from "../../page/face/elements.mjs";
import { boardOfShow } from "../table/shownboard.mjs";
import { MatchLog } from "./matchlog.mjs";
import { officialsInWords } from "./matchofficials.mjs";
import { keyInGroups, nameOf, pairing, put, resultInWords } from "./spoken.mjs";
import { standingAtFirst, tableInWords } from "./spoken.mjs";

function sections(room, onScreen) {
  const place = (name, kind, attributes = {}) => {
    room[name] = element(kind, { class: name, ...attributes });
    return room[name];
  };
  const turn = element("button", { type: "button", "aria-pressed": "false" }, "Turn the board");
  room.turnButton = turn;
  return [
    element(
      "section",
      { class: "stage", "aria-labelledby": "now-heading" },
      element(
        "div",
        { class: "now" },
        element("h2", { id: "now-heading" }, "Now"),
        place("players", "dl"),
        place("sentence", "p"),
        place("last", "p"),
        place("rolled", "div"),
        place("officials", "ul"),
      ),
      element(
        "div",
        { class: "seen" },
        place("board", "div", { class: "table" }),
        place("counts", "p"),
        place("legend", "dl"),
        onScreen ? null : element("p", {}, turn),
      ),
    ),
    room.log.section,
    onScreen ? null : factsSection(place),
  ];
}

function factsSection(place) {
  return element(
    "section",
    { class: "proof", "aria-labelledby": "facts-heading" },
    element("h2", { id: "facts-heading" }, "The match and its proof"),
    place("facts", "dl"),
    element("h3", {}, "The head: hash of the last event"),
    place("head", "p"),
    element(
      "p",
      {},
      "This page shows what the server says. If you want proof, take the record with you and " +
        "check it with your own copy of the verifying page, or with ",
      element("code", {}, "tabellion audit"),
      ".",
    ),
    place("downloads", "ul"),
  );
}

export class MatchView {
  constructor({ onScreen, room, heading }) {
    this.onScreen = onScreen;
    this.heading = heading;
    this.turned = false;
    this.log = new MatchLog(onScreen);
    this.drawn = null;
    room.replaceChildren(element("div", { class: "match" }, sections(this, onScreen)));
    this.turnButton.addEventListener("click", () => {
      this.turned = !this.turned;
      this.turnButton.setAttribute("aria-pressed", String(this.turned));
      this.drawBoardOf(this.shown);
    });
  }

  show(show) {
    this.shown = show;
    const names = show.seats.map(({ name }) => name);
    const table = tableInWords(show.about, show.match);
    const title = [table, ": ", pairing(names)];
    put(this.heading, this.onScreen ? [table, " · ", quoted(show.ruleset)] : title);
    document.title = `${plainWords(title)} · Tabellion`;
    document.documentElement.dataset.phase = show.phase;
    this.showPlayers(show);
    put(this.sentence, quoted(show.next));
    const last = show.last_action ? ["Last: ", quoted(show.last_action), ". "] : [];
    const stop = /[.!?…]$/u.test(show.news) ? "" : ".";
    put(this.last, last, show.news ? [quoted(show.news), stop] : "");
    this.showDice(show);
    this.officials.replaceChildren(
      ...officialsInWords(show).map((parts) => element("li", {}, parts)),
    );
    this.drawBoardOf(show);
    if (!this.onScreen) this.showFacts(show);
  }

  showPlayers(show) {
    const rows = show.seats.map(({ seat, name, keyid }) =>
      element(
        "div",
        { "data-seat": seat },
        element("dt", {}, quoted(seat)),
        element(
          "dd",
          {},
          element("span", { class: "name" }, nameOf(name)),
          show.due.whose.includes(seat) ? element("strong", { class: "turn" }, " ▶ awaited") : null,
          keyid ? null : element("span", { class: "scribe" }, " (the arbiter writes)"),
        ),
      ),
    );
    this.players.replaceChildren(...rows);
  }

  showDice({ dice, rolling }) {
    const parts = [];
    if (dice.length) {
      parts.push(drawDice(dice), element("p", {}, `Dice still to be played: ${dice.join(", ")}.`));
    }
    const unconfirmed = rolling?.unconfirmed ?? [];
    if (unconfirmed.length) {
      parts.push(
        drawDice(unconfirmed),
        element("p", {}, `Written down, not confirmed yet: ${unconfirmed.join(", ")}.`),
      );
    }
    this.rolled.replaceChildren(...parts);
  }

  drawBoardOf(show) {
    const same = JSON.stringify([show.board, this.turned]);
    if (same === this.drawn) return;
    this.drawn = same;
    const board = boardOfShow(show);
    this.turnButton.hidden = board === null;
    if (board === null) {
      this.board.replaceChildren(
        element("p", {}, "The board cannot be drawn. The position as text:"),
        element("p", {}, element("code", {}, quoted(show.position))),
      );
      return;
    }
    this.board.replaceChildren(drawBoard(board, this.turned));
    put(this.counts, countsInWords(board).join(" "));
    const signs = legendOf(board).flatMap(({ sign, meaning }) => [
      element("dt", {}, quoted(sign)),
      element("dd", {}, quoted(meaning)),
    ]);
    this.legend.replaceChildren(...signs);
  }

  showFacts(show) {
    const changed = Object.entries(show.changed_options).map(([name, value]) => `${name}=${value}`);
    const seats = show.seats.map(({ name, keyid }) => [
      ["Key of ", nameOf(name)],
      keyid ? keyInGroups(keyid) : "none: what is written is the arbiter's word",
    ]);
    const options = changed.length ? [" with ", quoted(changed.join(", "))] : "";
    const facts = [
      ["State", standingAtFirst(show.phase)],
      ["Result", this.resultOf(show)],
      ["Rules", [quoted(show.ruleset), options]],
      ["Arbiter", nameOf(show.arbiter)],
      ["Dice", show.rolling ? quoted(show.rolling.words) : null],
      ...Object.entries(show.about).map(([name, text]) => [
        quoted(name.slice(0, 1).toUpperCase() + name.slice(1)),
        quoted(text),
      ]),
      ...seats,
      ["Events", String(show.seq + 1)],
    ];
    const known = facts.filter(([, text]) => text !== null);
    this.facts.replaceChildren(
      ...known.map(([name, text]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, text)),
      ),
    );
    if (this.head.dataset.head !== show.head) {
      this.head.dataset.head = show.head;
      this.head.replaceChildren(inGroups(show.head));
    }
    if (this.downloads.childElementCount) return;
    const path = `/api/matches/${show.match}`;
    const link = (href, words) => element("li", {}, element("a", { href, download: true }, words));
    this.downloads.append(
      link(`${path}/record`, "The record, with its boards (.tabellion.json)"),
      link(`${path}/page`, "The verifying page with the record in it (.html)"),
    );
  }

  resultOf(show) {
    const named = new Map(show.seats.map(({ seat, name }) => [seat, name]));
    return resultInWords(show.result, (seat) => named.get(seat));
  }
}
