/* The arbiter's page: the hall with what is urgent first, or the match that the address names after
   #. It signs nothing itself: the server does, with the arbiter's key, for whoever came in. */

import { element, quoted } from "../../page/face/elements.mjs";
import { Liveness, Speaker } from "../hall/liveness.mjs";
import { put } from "../hall/spoken.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered } from "../phone/asking.mjs";
import { sessionHere } from "./deskapi.mjs";
import { DeskHall } from "./deskhall.mjs";
import { Line } from "./deskline.mjs";
import { MatchDesk } from "./matchdesk.mjs";
import { drawMatch } from "./matchroom.mjs";

const SPEAKS_AFTER = 700;
const MATCH_NAMED = /^#([0-9a-f]{4,64})$/u;

const spot = (name) => document.getElementById(name);

function focusOn(...keys) {
  for (const key of keys) {
    const found = key === null ? null : document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const field = found?.matches("form") ? found.querySelector("input, select, textarea") : found;
    const inside = field?.matches("p") ? field.querySelector("input, select, textarea") : field;
    if (!inside) continue;
    inside.focus();
    if (document.activeElement === inside) return;
  }
}

class DeskPage {
  constructor(signs) {
    this.signs = signs;
    this.view = { room: spot("room"), heading: spot("heading") };
    this.liveness = new Liveness(spot("live"));
    this.speaker = new Speaker(spot("spoken"), SPEAKS_AFTER);
    this.hall = new DeskHall({ ...this.view, speaker: this.speaker });
    this.match = null;
    this.line = new Line({
      path: () => "/api/stream",
      take: (event, data) => this.hall.take(event, data),
      changed: (line) => this.match || this.liveness.show(line),
      refused: (answer) => this.turnAway(answer),
    });
  }

  start() {
    window.addEventListener("hashchange", () => this.go());
    this.line.start();
    this.go();
  }

  go() {
    const named = MATCH_NAMED.exec(location.hash)?.[1] ?? null;
    this.match?.stop();
    this.match = null;
    this.hall.leave();
    spot("back").hidden = named === null;
    document.documentElement.dataset.shows = named === null ? "hall" : "match";
    delete document.documentElement.dataset.head;
    delete document.documentElement.dataset.current;
    if (named === null) {
      this.hall.enter();
      this.liveness.show(this.line);
    } else this.sitAt(named);
    if (this.been) this.view.heading.focus();
    this.been = true;
  }

  sitAt(named) {
    this.view.room.replaceChildren(element("p", {}, "Asking the server …"));
    const desk = new MatchDesk({
      match: named,
      signs: this.signs,
      room: this.view.room,
      draw: () => this.match === desk && drawMatch(desk, this.view),
      say: (words) => this.match === desk && this.speaker.say(words),
      focus: (...keys) => this.match === desk && focusOn(...keys),
      lineChanged: (line) => this.match === desk && this.liveness.show(line),
      refused: (answer) => this.match === desk && this.turnAway(answer),
    });
    this.match = desk;
    desk.start();
  }

  turnAway(answer) {
    put(this.view.heading, "This cannot be shown");
    this.view.room.replaceChildren(element("p", {}, answer.message));
  }
}

function whoSigns({ arbiter }) {
  if (arbiter === null) {
    spot("who").replaceChildren(
      "Looking on only: this server runs without the arbiter's key, or read-only.",
    );
    return;
  }
  spot("who").replaceChildren(
    element("span", {}, "Signs with the arbiter's key ", element("code", {}, quoted(arbiter))),
  );
}

/** Nobody has come in: where the link is. */
function showTheWay(error, used) {
  put(spot("heading"), used ? "This link was used already" : "Come in by the link");
  const steps = [
    "The server printed a link for this page in the window where it was started. It is good once.",
    "When it was used, a fresh link stands below it: open that one.",
    "If there is none, start the server with the arbiter's key: tabellion serve --key NAME",
  ];
  spot("room").replaceChildren(
    element(
      "p",
      { class: "warning" },
      used
        ? "The link that you opened was used already, or is an older server's."
        : quoted(error.message),
    ),
    element(
      "ol",
      {},
      steps.map((step) => element("li", {}, step)),
    ),
    element("p", {}, element("a", { href: "/" }, "Look on without signing: the hall")),
  );
}

async function begin() {
  const used = new URLSearchParams(location.search).get("link") === "used";
  if (location.search) history.replaceState(null, "", `/desk${location.hash}`);
  try {
    const session = await sessionHere();
    whoSigns(session);
    new DeskPage(session.arbiter !== null).start();
  } catch (error) {
    if (error instanceof Answer) showTheWay(error, used);
    else if (error instanceof Unanswered) {
      put(spot("heading"), "The server does not answer");
      spot("room").replaceChildren(element("p", {}, "Is it still running? Load this page again."));
    } else throw error;
  }
}

begin();
