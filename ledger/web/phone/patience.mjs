/* When to ask a server again that did not answer: soon, then less and less often, and at once when
the phone wakes up or finds a network. One for each time that a match is followed. */

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const ASLEEP = 20_000;

export class Patience {
  #failures = 0;
  #asked = 0;
  #heard = 0;
  #wake = () => {};
  #line = new AbortController();
  #woken = () => this.#wakeUp();
  #cut = () => this.#line.abort();

  ended = false;

  constructor() {
    addEventListener("online", this.#woken);
    addEventListener("pageshow", this.#woken);
    addEventListener("offline", this.#cut);
    document.addEventListener("visibilitychange", this.#woken);
  }

  end() {
    this.ended = true;
    removeEventListener("online", this.#woken);
    removeEventListener("pageshow", this.#woken);
    removeEventListener("offline", this.#cut);
    document.removeEventListener("visibilitychange", this.#woken);
    this.#line.abort();
    this.#wake();
  }

  /** Ends with the line: the network went, or the phone slept so long that nothing is known. */
  signal() {
    this.#line = new AbortController();
    if (this.ended) this.#line.abort();
    this.#heard = Date.now();
    return this.#line.signal;
  }

  /** How many milliseconds to wait after so many failures in a row. Everybody comes back after a
  break, but not at the same moment. */
  static after(failures) {
    const usual = Math.min(FIRST_PAUSE * 2 ** Math.min(failures - 1, 9), LONGEST_PAUSE);
    return usual * (0.75 + Math.random() / 2);
  }

  succeed() {
    this.#failures = 0;
    this.#asked = 0;
    this.#heard = Date.now();
  }

  /** `after`: how many milliseconds the server asked for. */
  fail(after = 0) {
    this.#failures += 1;
    this.#asked = after;
  }

  pause() {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(Patience.after(this.#failures), this.#asked));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.ended) this.#wake();
    });
  }

  #wakeUp() {
    if (document.visibilityState === "hidden") return;
    if (Date.now() - this.#heard > ASLEEP) this.#line.abort();
    if (!this.#asked) this.#wake();
  }
}
