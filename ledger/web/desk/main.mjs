/* The arbiter's page: the hall with what is urgent first, or the match that the address names after
   #. It signs nothing itself: the server does, with the arbiter's key, for whoever came in. */

import { element, quoted } from "../../page/face/elements.mjs";
import { Liveness, Speaker } from "../hall/liveness.mjs";
import { keyInGroups, put } from "../hall/spoken.mjs";
import { DeskDoor } from "./deskdoor.mjs";
import { DeskHall } from "./deskhall.mjs";
import { Line } from "./deskline.mjs";
import { MatchDesk } from "./matchdesk.mjs";
import { drawMatch } from "./matchroom.mjs";

const SPEAKS_AFTER = 700;
const ASKED_AGAIN_AFTER = 2000;
const MATCH_NAMED = /^#([0-9a-f]{4,64})$/u;
const FIELDS = "input, select, textarea";
const NEW_LINK =
  "Come in by the new link: it stands in the window where the server was started; open it in " +
  "this browser. The server was started anew and knows nobody here. Until then nothing is signed.";

const spot = (name) => document.getElementById(name);

function focusOn(...keys) {
  for (const key of keys) {
    const found = key === null ? null : document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const field = found?.matches("form, fieldset, .labelled") ? found.querySelector(FIELDS) : found;
    if (!field) continue;
    field.focus();
    if (document.activeElement === field) return;
  }
}

class DeskPage {
  constructor(knock) {
    this.knock = knock;
    this.arbiter = null;
    this.shut = false;
    this.view = { room: spot("room"), heading: spot("heading") };
    this.liveness = new Liveness(spot("live"));
    this.speaker = new Speaker(spot("spoken"), SPEAKS_AFTER);
    this.hall = new DeskHall({
      ...this.view,
      say: (words) => this.speaker.say(words),
      focus: focusOn,
      knock,
    });
    this.match = null;
    this.line = new Line({
      path: () => "/api/stream",
      take: (event, data) => this.hall.take(event, data),
      changed: (line) => this.heard(line, this.match === null),
      refused: (answer) => this.turnAway(answer),
    });
  }

  /** Who signs here, from now on. */
  admit({ arbiter }) {
    const news = this.shut || arbiter !== this.arbiter;
    Object.assign(this, { arbiter, shut: false });
    if (news) this.tell();
  }

  /** Nobody signs here any more; what was typed stays. */
  shutOut() {
    if (this.shut) return;
    this.shut = true;
    this.tell();
  }

  tell() {
    const { arbiter, shut } = this;
    const way = spot("way");
    way.hidden = !shut;
    put(way, shut ? NEW_LINK : "");
    spot("who").replaceChildren(...whoSigns(arbiter, shut));
    this.hall.become(arbiter, shut);
    this.match?.become(arbiter !== null, shut);
  }

  start() {
    this.line.start();
    this.go();
  }

  /** After a break it may be another server. */
  heard(line, shown) {
    if (shown) this.liveness.show(line);
    if (line.live) this.knock();
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
      signs: this.arbiter !== null,
      shut: this.shut,
      room: this.view.room,
      draw: () => this.match === desk && drawMatch(desk, this.view),
      say: (words) => this.match === desk && this.speaker.say(words),
      focus: (...keys) => this.match === desk && focusOn(...keys),
      lineChanged: (line) => this.match === desk && this.heard(line, true),
      refused: (answer) => this.match === desk && this.turnAway(answer),
      knock: this.knock,
    });
    this.match = desk;
    desk.start();
  }

  turnAway(answer) {
    put(this.view.heading, "This cannot be shown");
    this.view.room.replaceChildren(element("p", {}, answer.message));
  }
}

function whoSigns(arbiter, shut) {
  if (shut) return ["Nothing is signed here now."];
  if (arbiter === null)
    return ["Looking on only: this server runs without the arbiter's key, or read-only."];
  return ["Signs with the arbiter's key ", ...keyInGroups(arbiter)];
}

/** Nobody has come in: where the link is. */
function showTheWay({ code, message }) {
  const used = code === "link-used";
  put(spot("heading"), used ? "This link was used already" : "Come in by the link");
  const steps = [
    "The server printed a link for this page in the window where it was started. It is good once.",
    "When it was used, a fresh link stands below it: open that one.",
    "If there is none, start the server with the arbiter's key: tabellion serve --key NAME",
  ];
  spot("room").replaceChildren(
    element("p", { class: "warning" }, quoted(message)),
    element(
      "ol",
      {},
      steps.map((step) => element("li", {}, step)),
    ),
    element("p", {}, element("a", { href: "/" }, "Look on without signing: the hall")),
  );
}

function begin() {
  let page = null;
  const door = new DeskDoor({
    admitted: (session) => {
      const first = page === null;
      page ??= new DeskPage(() => door.knock());
      page.admit(session);
      if (first) page.start();
    },
    shutOut: (answer) => (page === null ? showTheWay(answer) : page.shutOut()),
    unheard: () => {
      if (page !== null) return; // the line says so
      put(spot("heading"), "The server does not answer");
      spot("room").replaceChildren(element("p", {}, "Is it still running? It is asked again."));
      setTimeout(() => door.knock(), ASKED_AGAIN_AFTER);
    },
    elsewhere: () => page?.go(),
  });
  door.start();
}

begin();
