/* What the server sends while it lasts (server-sent events), read with fetch: a browser's own
   EventSource keeps the comment lines to itself by which a dead connection is told from a quiet
   hall, and gives up after an answer like 503. Nothing here knows what a match is. */

const LONGEST_SILENCE = 40_000;
const SUSPECT_SILENCE = 20_000;
const LOOK_EVERY = 5_000;
const RESTS_AFTER = 60_000;
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** The stream ended, was not one, or said what cannot be read: it is asked for again. */
class Broken extends Error {}

/** What fetch and its streams throw when the other end is gone. Nothing of ours is among it. */
function cutOff(error) {
  if (error instanceof TypeError || error instanceof DOMException) throw new Broken(error.message);
  throw error;
}

/** Asks the server. */
export function ask(path, how) {
  return fetch(path, { cache: "no-store", ...how }).catch(cutOff);
}

/** What an answer says; `null` for what is no JSON. */
export async function saidIn(answer) {
  const text = await answer.text().catch(cutOff);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether an error is only that the server was not heard. */
export function isSilence(error) {
  return error instanceof Broken;
}

/** Why the server refuses, as it says itself; whatever stands before it may answer otherwise. */
async function refusalOf(answer) {
  const said = await saidIn(answer);
  const { code = "no-answer", message = `The server answers ${answer.status}.` } =
    said?.error ?? {};
  return { status: answer.status, code: String(code), message: String(message) };
}

/** Cuts text that comes in pieces into messages: `{name, data, id}`. */
class Messages {
  constructor() {
    this.rest = "";
    this.begin();
  }

  begin() {
    this.message = { name: "message", data: [], id: null };
  }

  *of(text) {
    const lines = (this.rest + text).split(/\r?\n/u);
    this.rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        const { name, data, id } = this.message;
        if (data.length) yield { name, data: data.join("\n"), id };
        this.begin();
      } else this.note(line);
    }
  }

  note(line) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /u, "");
    if (field === "event") this.message.name = value;
    if (field === "data") this.message.data.push(value);
    if (field === "id") this.message.id = value;
  }
}

/** A stream that is always asked for again. `open(how)` asks for what comes next, each message goes
to `take(name, data)`; `changed(feed)` is told when it becomes live or no longer is, `refused(why)`
of an answer that is no stream: it says whether for good. */
export class Feed {
  constructor({ open, take, changed, refused }) {
    Object.assign(this, { open, take, changed, refused });
    this.live = false;
    this.heard = null;
    this.turn = 0;
    this.failures = 0;
    this.stopped = false;
  }

  start() {
    setInterval(() => this.look(LONGEST_SILENCE), LOOK_EVERY);
    document.addEventListener("visibilitychange", () => this.turnedTo());
    window.addEventListener("online", () => this.again());
    window.addEventListener("offline", () => {
      this.lost();
      this.next = setTimeout(() => this.connect(), LONGEST_PAUSE);
    });
    window.addEventListener("pagehide", () => this.lost());
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.again();
    });
    this.connect();
  }

  stop() {
    this.stopped = true;
    this.lost();
  }

  /** A tab that nobody sees gives its connection up: a browser has six for one server. */
  turnedTo() {
    clearTimeout(this.rest);
    if (document.hidden) this.rest = setTimeout(() => this.lost(), RESTS_AFTER);
    else this.look(SUSPECT_SILENCE);
  }

  /** A phone freezes a tab and its timers: whether anything is still there shows only now. */
  look(silence) {
    const overdue = this.live && Date.now() - this.heard.getTime() > silence;
    const woken = !this.live && silence === SUSPECT_SILENCE;
    if (overdue || woken) this.again();
  }

  again() {
    this.lost();
    this.failures = 0;
    this.connect();
  }

  lost() {
    this.turn += 1;
    this.cut?.abort();
    clearTimeout(this.next);
    this.become(false);
  }

  become(live) {
    if (this.live === live) return;
    this.live = live;
    this.changed(this);
  }

  async connect() {
    if (this.stopped) return;
    const turn = ++this.turn;
    this.cut = new AbortController();
    const pause = await this.listen(this.cut.signal, turn).catch((error) => {
      if (isSilence(error)) return 0;
      throw error;
    });
    if (turn !== this.turn || this.stopped) return;
    this.become(false);
    this.failures += 1;
    const grown = SHORTEST_PAUSE * 2 ** Math.min(this.failures - 1, 8) * (0.5 + Math.random());
    const wait = Math.min(Math.max(grown, pause), LONGEST_PAUSE);
    this.next = setTimeout(() => this.connect(), wait);
  }

  /** Hears a stream to its end. The pause that the server wants before it is asked again, in ms. */
  async listen(signal, turn) {
    const headers = { accept: "text/event-stream" };
    const answer = await this.open({ headers, signal });
    if (!answer.ok) {
      const why = await refusalOf(answer);
      if (turn === this.turn && this.refused(why)) this.stop();
      return Number(answer.headers.get("retry-after") ?? 0) * 1000 || 0;
    }
    const type = answer.headers.get("content-type") ?? "";
    if (!answer.body || !type.startsWith("text/event-stream")) throw new Broken(type);
    const messages = new Messages();
    const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await pieces.read().catch(cutOff);
      if (done || turn !== this.turn) return 0;
      this.heard = new Date();
      this.failures = 0;
      this.become(true);
      for (const { name, data } of messages.of(value)) this.take(name, JSON.parse(data));
    }
  }
}
