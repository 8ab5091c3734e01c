/* Whether what is shown is live: said in words, in one place, on every view. */

import { oclock, put } from "./spoken.mjs";

const WAIT_BEFORE_SAYING = 2_000;

/** Keeps `place` true to what `feed` hears. A break that heals at once is no news to anybody. */
export class Liveness {
  constructor(place) {
    this.place = place;
    this.later = null;
  }

  show(feed) {
    clearTimeout(this.later);
    if (feed.live) this.say(feed);
    else this.later = setTimeout(() => this.say(feed), WAIT_BEFORE_SAYING);
  }

  say({ live, heard }) {
    this.place.dataset.live = live ? "yes" : "no";
    if (live) put(this.place, "● Live");
    else if (heard) put(this.place, `▲ Not live since ${oclock(heard)}. Trying again.`);
    else put(this.place, "▲ Not live: the server does not answer. Trying again.");
  }

  over() {
    clearTimeout(this.later);
    this.place.replaceChildren();
    delete this.place.dataset.live;
  }
}

/** Speaks to those who do not see what changes: politely, and what comes close together at once. */
export class Speaker {
  constructor(place, pause) {
    this.place = place;
    this.pause = pause;
    this.waiting = [];
    this.timer = null;
  }

  say(sentence) {
    this.waiting.push(sentence);
    this.timer ??= setTimeout(() => this.speak(), this.pause);
  }

  speak() {
    this.timer = null;
    const most = 3;
    const left = this.waiting.length - most;
    const before = left > 0 ? [`${left} more changes. `] : [];
    this.place.textContent = [...before, ...this.waiting.slice(-most)].join(" ");
    this.waiting = [];
  }
}
