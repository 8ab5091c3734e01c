/* The hand of the scribe: what can be done on the board for whoever has no key. The seat on turn is
   played for if it has none; calls may be written for either. */

import { Hand } from "../table/hand.mjs";

export class ScribeHand extends Hand {
  /** The seats that the arbiter writes for. */
  get scribed() {
    return this.following.scribed;
  }

  get words() {
    if (!this.current) return [];
    const beside = this.moves.beside.filter(({ seat }) => this.scribed.includes(seat));
    return [...this.own.filter(({ paths }) => !paths.length), ...beside];
  }

  /** Whose an act is. What stands beside the turn is not always of the seat on turn. */
  seatOf({ type, data }) {
    const same = ({ kind, text }) => kind === type && (kind !== "call" || text === data.call);
    const beside = this.moves?.beside.find(same);
    return beside?.seat ?? this.moves?.turn ?? null;
  }
}
