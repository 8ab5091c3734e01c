/* One match as the server tells of it: how it stands, and its events in words. The signed events
   that come along are nothing to a page that checks none: they only show that the line is open. */

import { ask, isSilence, saidIn } from "./feed.mjs";

const BETWEEN_READINGS = 500;
const AFTER_A_FAILURE = 10_000;

/** After these the words of earlier events can change: struck, void, named anew. */
const REACHES_BACK = ["ruling", "offer.accepted", "roll.voided", "roll.confirmed"];

/** A call that was left out shows only when the other side has gone on: so many lines are read
again with those that are new. */
const OVERLAP = 12;

export class MatchBook {
  constructor(id, changed) {
    this.path = `/api/matches/${encodeURIComponent(id)}`;
    this.changed = changed;
    this.show = null;
    this.log = [];
    this.read = -1;
    this.reading = null;
  }

  /** Asks for what follows the event that was shown last; at first for the match itself. */
  async open(how) {
    if (!this.show) {
      const first = await ask(this.path, { signal: how.signal });
      if (!first.ok) return first;
      this.take("table", await saidIn(first));
    }
    const { seq, head } = this.show;
    return ask(`${this.path}/stream?since=${seq}&hash=${head}`, how);
  }

  take(name, data) {
    if (name === "parted") this.read = -1;
    if (name !== "table") return;
    this.show = data;
    this.changed(this, []);
    this.readOn();
  }

  /** Reads what came since, an answer at a time. */
  readOn() {
    if (this.reading || this.read === this.show.seq) return;
    const resume = () => {
      this.reading = null;
      this.readOn();
    };
    this.reading = this.readLog().then((further) =>
      setTimeout(resume, further ? BETWEEN_READINGS : AFTER_A_FAILURE),
    );
  }

  /** Reads what the log has beyond what was read; whether that was anything. */
  async readLog() {
    const since = this.read;
    const from = Math.max(-1, since - OVERLAP);
    const told = await logLines(`${this.path}/log?since=${from}`);
    if (since !== this.read) return true;
    const fresh = told?.filter((line) => line.seq > since) ?? [];
    if (!fresh.length) return false;
    const whole = since < 0;
    this.log = [...this.log.filter(({ seq }) => seq <= from), ...told];
    this.read = fresh.at(-1).seq;
    if (!whole && fresh.some(({ type }) => REACHES_BACK.includes(type))) await this.readAgain();
    this.changed(this, whole ? [] : fresh);
    return true;
  }

  async readAgain() {
    const told = await logLines(`${this.path}/log`);
    if (!told?.length) return;
    this.log = told;
    this.read = told.at(-1).seq;
  }
}

/** The lines of a log; `null` where the server gives none just now. */
async function logLines(path) {
  try {
    const answer = await ask(path);
    return answer.ok ? ((await saidIn(answer))?.events ?? null) : null;
  } catch (error) {
    if (isSilence(error)) return null;
    throw error;
  }
}
