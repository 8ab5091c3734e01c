/* A match as this phone follows it: every event is verified here, whatever the server says.

The stream only brings events sooner. After each break the events are asked for by their numbers,
and what the server tells of the match is shown, held against the events, and never believed.
*/

import { ARBITER } from "../../page/verifier/roster.mjs";
import { Refusal, faultAt } from "../../page/verifier/refusal.mjs";
import { Answer } from "./answer.mjs";
import { Unanswered, askFor } from "./asking.mjs";
import { Chain, textOfEnvelope } from "./chain.mjs";
import { payDice } from "./dice.mjs";
import { contradiction } from "./doubts.mjs";
import { arbiterTold } from "./joining.mjs";
import { dismissLapsed, heldAt, inOneTab, outboxOf, sendAgain, sendHeld } from "./outbox.mjs";
import { Patience } from "./patience.mjs";
import { listen } from "./stream.mjs";

export class Following {
  #chain;
  #told = null;
  #parted = null;
  #contradiction = null;
  #otherArbiter = null;
  #outbox = { onTheirWay: [], unsent: [], lapsed: [], refused: [] };
  #held = null;
  #inLine = Promise.resolve();
  #turnedAway = null;
  #stuck = null;
  #working = null;
  #workLeft = false;
  #timer = 0;
  #failures = 0;
  #patience = null;

  /** `changed` is called after each change; `clock` gives a Date. */
  constructor({ match, storage, keys, changed, clock = () => new Date() }) {
    Object.assign(this, { match, storage, keys, changed, clock });
    this.#chain = new Chain(match);
    this.connection = "waiting";
    this.diceRefusedAt = null;
    this.has = (hash) => this.#chain.has(hash);
  }

  /** The judged events, `{number, hash, keyid, event, checks, faults}` each. */
  get events() {
    return this.#chain.items;
  }

  /** Where the match stands, as the verifier folds it; null before its opening was read. */
  get course() {
    return this.#chain.course;
  }

  get seq() {
    return this.#chain.seq;
  }

  get head() {
    return this.#chain.head;
  }

  /** What the verifier found, `{event, check, code, text}`, or that it is the match of another
  arbiter than was told: then nothing is signed any more. */
  get fault() {
    return this.#chain.fault ?? this.#otherArbiter;
  }

  get mine() {
    return this.#chain.roleOf(this.keys.line);
  }

  /** What the server tells of the match after the last event, or null while it tells nothing. */
  get show() {
    return this.#told?.seq === this.seq && this.#told.head === this.head ? this.#told : null;
  }

  /** `{code, message}` where the server contradicts the events, or what was seen before. */
  get doubt() {
    return this.#parted ?? this.#contradiction;
  }

  /** Why the dice do not go on, or the server gives no events: an `Answer`, or null. */
  get trouble() {
    return this.#stuck ?? this.#turnedAway;
  }

  /** Signed, and not acknowledged yet: `{hash, seq, envelope, event}` each. */
  get unsent() {
    return this.#outbox.unsent.filter(({ hash }) => !this.has(hash));
  }

  /** Signed, and it did not go through: `{hash, envelope, event, why}` each. */
  get lapsed() {
    return this.#outbox.lapsed;
  }

  /** Signed by this phone and refused by the server, `{hash, envelope, event, why}` each: kept for
  good, for a server may lie. */
  get refused() {
    return this.#outbox.refused.filter(({ hash }) => !this.has(hash));
  }

  /** What this phone has signed where the match stands now, `{hash, event}`: it can be sent, and
  nothing else can be signed there. Or null. */
  get held() {
    const held = this.#held;
    return held?.prev === this.head && held.overtaken && !this.has(held.hash) ? held : null;
  }

  /** Sends what is held, the same bytes. */
  async sendHeld() {
    const { held } = this;
    if (held) await inOneTab(this.match, () => sendHeld(this, held));
    await this.outboxChanged();
    this.tryAgain();
  }

  start() {
    this.stop();
    this.#patience = new Patience();
    this.#follow(this.#patience);
  }

  stop() {
    this.#patience?.end();
    clearTimeout(this.#timer);
  }

  /** Somebody says that the match is right as it is now, although this phone has seen it otherwise:
  what it owes is done by itself again. */
  async believe() {
    if (this.fault || this.head === null) return;
    await this.storage.put(["known", { match: this.match, seq: this.seq, head: this.head }]);
    this.#parted = null;
    this.tryAgain();
    this.#say(this.connection);
  }

  async dismiss(hash) {
    await dismissLapsed(this.storage, hash);
    await this.outboxChanged();
  }

  async #follow(patience) {
    while (!patience.ended && !this.fault) {
      try {
        await this.#listen(patience);
      } catch (error) {
        if (!(error instanceof Answer || error instanceof Unanswered)) throw error;
        patience.fail(error.after);
        this.#turnedAway = error instanceof Answer ? error : null;
      }
      this.#say("waiting");
      if (!this.fault) await patience.pause();
    }
  }

  async #listen(patience) {
    await this.outboxChanged();
    await this.catchUp();
    if (this.fault) return;
    this.tryAgain();
    const path = `/api/matches/${this.match}/stream?since=${this.seq}&hash=${this.head ?? ""}`;
    const opened = () => {
      this.#turnedAway = null;
      this.#say("live");
    };
    const heard = () => patience.succeed();
    for await (const message of listen(path, { signal: patience.signal(), opened, heard })) {
      await this.#hear(message);
      if (this.fault) return;
    }
  }

  async #hear({ event, data }) {
    const said = readJsonOf(data);
    if (event === "parted") await this.#inTurn(() => this.#readAnew());
    else if (event === "signed") await this.#inTurn(() => this.#takeNext(textOfEnvelope(said)));
    else if (event === "table") {
      this.#told = said;
      this.#contradiction = contradiction(said, this);
      await this.outboxChanged();
      this.tryAgain();
    }
    this.#say(this.connection);
  }

  /** Reads all events that are new at the server. Throws `Answer` or `Unanswered`. */
  async catchUp() {
    await this.#inTurn(() => this.#readOn());
    this.#say(this.connection);
  }

  /** An event of this phone that the server has stored. */
  async takeOwn(text) {
    await this.#inTurn(() => this.#takeNext(text));
    this.#say(this.connection);
  }

  /** Looks again, now or after some time, after what this phone owes: events to be sent, dice. */
  tryAgain(after = 0) {
    clearTimeout(this.#timer);
    if (after > 0) this.#timer = setTimeout(() => this.tryAgain(), after);
    else {
      this.#workLeft = true;
      this.#working ??= this.#work();
    }
  }

  async outboxChanged() {
    this.#outbox = await outboxOf(this.storage, this.match);
    this.#held = await heldAt(this);
    this.#say(this.connection);
  }

  async #work() {
    try {
      while (this.#workLeft && !this.fault && !this.#patience?.ended) {
        this.#workLeft = false;
        await inOneTab(this.match, () => sendAgain(this));
        if (!this.#parted) await payDice(this);
        this.#stuck = null;
        this.#failures = 0;
        await this.outboxChanged();
      }
    } catch (error) {
      if (!(error instanceof Answer || error instanceof Unanswered)) throw error;
      if (error instanceof Unanswered) {
        this.#failures += 1;
        this.tryAgain(Math.max(error.after, Patience.after(this.#failures)));
      } else this.#stuck = error;
      await this.outboxChanged();
    } finally {
      this.#working = null;
      if (this.#workLeft && !this.fault && !this.#patience?.ended) this.tryAgain();
    }
  }

  /** One change of the chain after the other: the stream, a click and a reconnection may meet. */
  #inTurn(task) {
    const done = this.#inLine.then(task);
    this.#inLine = done.catch(() => {});
    return done;
  }

  async #takeNext(text) {
    const place = this.#chain.placeOf(text);
    if (place === "apart") await this.#readOn();
    else if (place === "next") {
      await this.#chain.take([text]);
      await this.#compareWithKnown(false);
    }
  }

  /** Asks for what follows the last event but one: the last must be there again. */
  async #readOn() {
    const last = this.#chain.textAt(this.seq);
    let page = await this.#pageAfter(Math.max(this.seq - 1, -1));
    if (last !== null && page.texts.shift() !== last) return this.#readAnew();
    while (page.texts.length && !this.fault) {
      await this.#chain.take(page.texts);
      if (page.seq <= this.seq) break;
      page = await this.#pageAfter(this.seq);
    }
    await this.#compareWithKnown(true);
  }

  /** Another copy took the place of the events: all are read again. */
  async #readAnew() {
    const other = new Chain(this.match);
    let page;
    do {
      page = await this.#pageAfter(other.seq);
      await other.take(page.texts);
    } while (page.texts.length && page.seq > other.seq && !other.fault);
    if (other.seq < 0) throw new Unanswered();
    this.#chain = other;
    await this.#compareWithKnown(true);
  }

  async #pageAfter(since) {
    const page = await askFor(`/api/matches/${this.match}/events?since=${since}`);
    if (!Array.isArray(page?.events) || !Number.isSafeInteger(page.seq)) throw new Unanswered();
    return { seq: page.seq, texts: page.events.map(textOfEnvelope) };
  }

  /** A server that shows less than this phone has seen, or others: it may be a copy that was taken
  over, or one that hides something. Whoever acts on it says that it is right. While not all is read
another tab may have seen more. */
  async #compareWithKnown(all) {
    const told = await arbiterTold(this.storage, [this.match]);
    this.#otherArbiter = this.course && told ? otherThanTold(told, this.course.roster) : null;
    const known = await this.storage.get("known", this.match);
    const here = !known || this.has(known.head);
    if (!here && !all && known.seq > this.seq) return;
    this.#parted = here ? null : otherThanKnown(known, this.seq);
    if (here && !this.fault && this.head !== null && this.head !== known?.head) {
      await this.storage.put(["known", { match: this.match, seq: this.seq, head: this.head }]);
    }
  }

  #say(connection) {
    this.connection = connection;
    this.changed();
  }
}

function otherThanKnown({ seq }, last) {
  const what = `This phone has seen event ${seq} of this match, and now it is not there.`;
  const why = last < seq ? "The server shows fewer events." : "The server shows other events.";
  const hint = "Ask the arbiter why before you act.";
  return { code: "parted", message: `${what} ${why} ${hint}` };
}

/** The key that was told has to be one of the arbiter's in this match: another may have taken its
place since. */
function otherThanTold(told, { tenures }) {
  const keyids = tenures.filter(({ role }) => role === ARBITER).map(({ keyid }) => keyid);
  if (keyids.includes(told)) return null;
  const what =
    `When this phone took its seat, the arbiter's key was said to be ${told}. ` +
    `This match is that of another: ${keyids[0]}.`;
  return faultAt(0, new Refusal("authority", "other-arbiter", what));
}

function readJsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unanswered();
  }
}
