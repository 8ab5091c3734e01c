/* What the parts of the board ask of a match: where it stands, and for whom the arbiter moves. */

import { scribedSeats } from "./proposal.mjs";

/** What the board's parts need to know of a match, kept up to date. */
export class Followed {
  constructor(match) {
    Object.assign(this, { match, seq: -1, head: null, mine: null, scribed: [] });
    this.course = { roster: { seats: [] } };
  }

  follow(show, writes) {
    Object.assign(this, { match: show.match, seq: show.seq, head: show.head, show });
    this.course = { roster: { seats: show.seats.map(({ seat }) => seat) } };
    this.scribed = writes ? scribedSeats(show) : [];
    this.mine = this.scribed.includes(show.turn) ? show.turn : null;
  }
}
