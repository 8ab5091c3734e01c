/* What is spoken: acts of the others and dice as they come, and whose turn it is. That stands in the
   title of the page too, for whoever looks at another tab. */

import { element } from "../../page/face/elements.mjs";
import { spokenEvent } from "./sayings.mjs";

const MOST_SPOKEN = 3;
const MOST_KEPT = 8;
const DUE_WORDS = new Map([
  ["accept", "You are asked to accept"],
  ["throw", "Your throw"],
  ["confirm", "Confirm the dice"],
  ["act", "Your move"],
  ["resume", "Your sealed move"],
  ["countersign", "Your signature"],
]);

export class Announcer {
  constructor(sitting) {
    this.sitting = sitting;
    this.heard = null;
    this.due = "";
  }

  /** What is said is added, so that nothing takes a sentence away before it was read out. */
  say(words) {
    const place = document.querySelector("#heard");
    place.append(element("p", {}, words));
    while (place.children.length > MOST_KEPT) place.firstChild.remove();
  }

  changed() {
    const { following } = this.sitting;
    if (!following.course) return;
    const said = [...this.#news(), ...this.#turn()];
    if (said.length) this.say(said.join(" "));
  }

  /** The events of others since the last time; none of those that stood there at the start. */
  #news() {
    const { following, report } = this.sitting;
    const { seq, mine, events } = following;
    if (this.heard === null || this.heard > seq) {
      this.heard = seq;
      return [];
    }
    const fresh = events.slice(this.heard + 1, seq + 1);
    this.heard = seq;
    return fresh
      .filter(({ event }) => event && (event.by !== mine || event.type.startsWith("roll")))
      .slice(-MOST_SPOKEN)
      .map(({ number }) => spokenEvent(report, number));
  }

  #turn() {
    const { following } = this.sitting;
    const { show, mine, fault } = following;
    if (!show) return [];
    const { step, whose } = show.due;
    const due = !fault && whose.includes(mine) ? (DUE_WORDS.get(step) ?? "") : "";
    if (due === this.due) return [];
    this.due = due;
    document.title = due ? `${due} – Tabellion` : "Tabellion: at the table";
    this.sitting.draw();
    return due ? [`${due}.`] : [];
  }
}
