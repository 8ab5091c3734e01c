/* Before a seat: the join code, waiting for the others, and the matches that this phone sits in. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered, askFor } from "../phone/asking.mjs";
import { takeSeat } from "../phone/joining.mjs";
import { answerShown, connectionInWords } from "./conditions.mjs";
import { filledIn, folded, labelled, pressed } from "./controls.mjs";
import { redraw } from "./redrawing.mjs";
import { holderInWords, serversWords, titleOf } from "./sayings.mjs";
import { Sitting } from "./sitting.mjs";

const PAUSE = 2000;
const TITLE = "Tabellion: at the table";

/** The match of an address like `#match-0123…`; null for another. */
export function matchInAddress(fragment) {
  return /^#match-([0-9a-f]{64})$/.exec(fragment)?.[1] ?? null;
}

export class Room {
  constructor({ storage, keys, place, heading, line }) {
    Object.assign(this, { storage, keys, place, heading, line });
    Object.assign(this, { sitting: null, joining: null, answer: null, seats: [], told: new Map() });
  }

  /** With the code or the match of the address, else where the phone was last. */
  async enter(code, match) {
    this.seats = await this.storage.seats();
    const waiting = this.seats.find((row) => row.match === null);
    const seated = this.seats.filter((row) => row.match !== null);
    if (code) await this.take(code);
    else if (match) this.open(match);
    else if (waiting) await this.take(waiting.code);
    else if (seated.length === 1) this.open(seated[0].match);
    else await this.list();
  }

  /** Another code or match in the address of a page that is open. */
  goTo(code, match) {
    if (match) this.open(match);
    else if (code) {
      this.sitting?.stop();
      this.sitting = null;
      this.take(code);
    }
  }

  /** Joins with a code, again and again while others are awaited. */
  async take(code) {
    const own = { code, view: null, silent: false };
    Object.assign(this, { joining: own, answer: null });
    this.draw();
    while (this.joining === own) {
      try {
        own.view = await takeSeat(this.storage, this.keys, code);
        own.silent = false;
        if (own.view.match) {
          this.joining = null;
          this.open(own.view.match);
          return;
        }
      } catch (error) {
        if (error instanceof Answer) {
          Object.assign(this, { joining: null, answer: error });
          await this.list();
          return;
        }
        if (!(error instanceof Unanswered)) throw error;
        own.silent = true;
      }
      this.draw();
      await new Promise((resume) => setTimeout(resume, PAUSE));
    }
  }

  open(match) {
    this.sitting?.stop();
    history.replaceState(null, "", `#match-${match}`);
    document.title = TITLE;
    Object.assign(this, { joining: null, answer: null });
    redraw(this.place);
    this.sitting = new Sitting({
      ...{ match, storage: this.storage, keys: this.keys, room: this.place },
      leave: () => this.list(),
      named: (following) => this.#name(following),
    });
    this.sitting.start();
  }

  #name(following) {
    const { course } = following;
    if (course) {
      const [first, second] = course.roster.seats.map((seat) => holderInWords(course, seat)[0]);
      redraw(this.heading, first, " – ", second);
    }
    const words = connectionInWords(following);
    this.line.dataset.state = following.fault ? "fault" : following.connection;
    if (this.line.textContent !== words) this.line.textContent = words;
  }

  async list() {
    this.sitting?.stop();
    Object.assign(this, { sitting: null, joining: null });
    history.replaceState(null, "", location.pathname);
    document.title = TITLE;
    redraw(this.heading, TITLE);
    this.line.textContent = "";
    this.seats = await this.storage.seats();
    this.draw();
    this.heading.focus();
    await this.#askForMatches();
  }

  /** What each match waits for, as the server tells it; the list stands without. */
  async #askForMatches() {
    if (!this.seats.some((row) => row.match)) return;
    try {
      const { matches } = await askFor("/api/matches");
      this.told = new Map(matches.map((line) => [line.match, line]));
    } catch (error) {
      if (!(error instanceof Answer || error instanceof Unanswered)) throw error;
    }
    if (!this.sitting && !this.joining) this.draw();
  }

  draw() {
    redraw(this.place, [
      this.answer ? answerShown("join", this.answer) : null,
      this.joining ? this.#waiting() : [this.#ownMatches(), this.#codeField()],
      this.#ownKey(),
    ]);
  }

  #waiting() {
    const { view, silent } = this.joining;
    const named = view ? [quoted(view.name), " (", quoted(titleOf(view.seat)), ")"] : null;
    const awaited = view?.waiting ?? [];
    const others = awaited.flatMap((name, place) => [place ? ", " : "", quoted(name)]);
    return element("section", { "data-key": "waiting", "aria-labelledby": "waiting-title" }, [
      element("h2", { id: "waiting-title" }, view ? ["You sit as ", named] : "Joining …"),
      view
        ? element(
            "p",
            {},
            "Rules: ",
            quoted(view.ruleset),
            ". Arbiter: ",
            quoted(view.arbiter),
            ".",
          )
        : null,
      view
        ? element(
            "p",
            {},
            "The arbiter's key: SHA256:",
            inGroups(String(view.keyid).slice(7)),
            "Compare it with the join sheet.",
          )
        : null,
      element("p", { role: "status" }, [
        silent ? "The server does not answer; this phone asks again." : "",
        others.length
          ? ["Waiting for ", others, "."]
          : view
            ? "All have joined; the arbiter opens the match."
            : "",
      ]),
      pressed("stop-waiting", "To the list of my matches", () => this.list()),
    ]);
  }

  #ownMatches() {
    const rows = this.seats.filter((row) => row.match);
    if (!rows.length) return null;
    return element("section", { "data-key": "matches", "aria-labelledby": "matches-title" }, [
      element("h2", { id: "matches-title" }, "Matches of this phone"),
      element(
        "ul",
        { class: "matches" },
        rows.map((row) => this.#matchLine(row)),
      ),
    ]);
  }

  #matchLine({ match, seat, name }) {
    const line = this.told.get(match);
    const names = line ? Object.values(line.seats) : [];
    const words = names.flatMap((each, place) => [place ? " – " : "", quoted(each)]);
    const button = pressed(
      `open-${match}`,
      words.length ? words : ["Match ", match.slice(0, 12)],
      () => this.open(match),
    );
    return element("li", { "data-key": `match-${match}` }, [
      button,
      element(
        "p",
        {},
        "You: ",
        quoted(name),
        " (",
        quoted(titleOf(seat)),
        "). ",
        line ? quoted(serversWords(line.next, Object.keys(line.seats))) : "",
      ),
    ]);
  }

  #codeField() {
    const field = element("input", {
      ...{ name: "code", id: "field-code", autocomplete: "off", autocapitalize: "characters" },
      ...{ spellcheck: "false", maxlength: "40", enterkeyhint: "go" },
    });
    const send = (form) => {
      const code = form.elements.code.value;
      if (code.trim()) this.take(code);
      else {
        this.answer = new Answer("no-code", "Type the ten letters of your code first.");
        this.draw();
      }
    };
    return element("section", { "data-key": "code", "aria-labelledby": "code-title" }, [
      element("h2", { id: "code-title" }, "Take a seat"),
      element(
        "p",
        {},
        "The arbiter gives you a code for your seat: a picture to scan, or ten letters.",
      ),
      filledIn("join", "Join", send, {}, labelled("code", "Join code, like ABCD-EFGH-JK", field)),
    ]);
  }

  #ownKey() {
    return element("section", { "data-key": "own-key", "aria-labelledby": "key-title" }, [
      element("h2", { id: "key-title" }, "This phone's key"),
      element("p", {}, "SHA256:", inGroups(this.keys.keyid.slice(7))),
      element(
        "p",
        {},
        "The arbiter's screen shows the same when you have joined. Compare the two.",
      ),
      folded(
        "key-line",
        "The whole public key",
        element("p", {}, element("code", { id: "key-of-phone" }, this.keys.line)),
      ),
    ]);
  }
}
