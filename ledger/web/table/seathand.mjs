/* The hand of whoever sits at the table: while the game rests the server lists nothing, and a move
   to seal is chosen from what it has listed before. */

import { Answer } from "../phone/answer.mjs";
import { keepLegal, keptLegal, maySeal } from "../phone/sealing.mjs";
import { Hand } from "./hand.mjs";

export class SeatHand extends Hand {
  /** A sealed move that was read is played first: there is nothing to choose. */
  get own() {
    return this.following.course?.sealed?.text ? [] : super.own;
  }

  async legal() {
    const { following } = this;
    const { seq, head } = following;
    const kept = maySeal(following.course) ? await keptLegal(following) : null;
    if (kept) return { ...kept, seq, beside: [], throw: "", claim: "" };
    const found = await super.legal();
    if (found?.seq === seq && following.head === head) this.#keep(found);
    return found;
  }

  /** Nobody waits for that: the list is there already. */
  async #keep(found) {
    try {
      await keepLegal(this.following, found);
    } catch (error) {
      if (!(error instanceof Answer)) throw error;
    }
  }
}
