/* A line to the server that is always taken up again. `take(event, data)` gets what comes. */

import { Answer } from "../phone/answer.mjs";
import { Unanswered } from "../phone/asking.mjs";
import { listen } from "../phone/stream.mjs";

const SHORTEST_BREAK = 500;
const LONGEST_BREAK = 10_000;

/** `path()` is where to listen from now on; `refused(answer)` is told what the server says when it
    gives no stream, and then the line is over. */
export class Line {
  constructor({ path, take, changed, refused }) {
    Object.assign(this, { path, take, changed, refused });
    this.live = false;
    this.heard = null;
    this.ending = new AbortController();
    this.pause = SHORTEST_BREAK;
  }

  async start() {
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        await this.hear(signal);
      } catch (error) {
        if (error instanceof Answer) {
          this.become(false);
          if (!signal.aborted) this.refused(error);
          return;
        }
        if (!(error instanceof Unanswered)) throw error;
        this.pause = Math.max(this.pause, error.after);
      }
      if (signal.aborted) return;
      this.become(false);
      await new Promise((done) => setTimeout(done, this.pause));
      this.pause = Math.min(this.pause * 2, LONGEST_BREAK);
    }
  }

  async hear(signal) {
    const opened = () => {
      this.pause = SHORTEST_BREAK;
      this.become(true);
    };
    const heard = () => (this.heard = new Date());
    for await (const { event, data } of listen(this.path(), { signal, opened, heard })) {
      if (signal.aborted) return;
      this.take(event, JSON.parse(data));
    }
  }

  become(live) {
    if (this.live === live) return;
    this.live = live;
    this.heard ??= new Date();
    if (!this.ending.signal.aborted) this.changed(this);
  }

  stop() {
    this.ending.abort();
  }
}
