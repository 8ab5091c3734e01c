/* What a player is about to do on the board: the legal actions as the server lists them, the piece
   that is picked up, the steps that were made with it. Nothing here is signed yet. */

import { Answer } from "../phone/answer.mjs";
import { Unanswered, askFor } from "../phone/asking.mjs";
import { afterSteps } from "./preview.mjs";
import { diceLeft, finishedBy, pickable, targetsFrom, unfinishedBy } from "./tapping.mjs";

const PAUSE_OF_HAND = 2000;
const NO_WAYS = { steps: [], start: 0, after: [[]] };

export class Hand {
  constructor(following, changed) {
    this.following = following;
    this.changed = changed;
    this.moves = null;
    this.asked = -1;
    this.listed = "";
    this.ended = false;
    this.letGo();
  }

  end() {
    this.ended = true;
  }

  /** Puts the piece back, and takes back every step. */
  letGo() {
    this.steps = [];
    this.picked = null;
  }

  /** The list of what is legal belongs to one event: it is asked for anew after each. Where it is
      the same as before, a move that is being made goes on. */
  async follow() {
    const { following } = this;
    const { seq } = following;
    if (this.asked === seq || this.ended) return;
    this.asked = seq;
    this.moves = null;
    let found = null;
    try {
      found = await this.legal();
    } catch (error) {
      if (!(error instanceof Answer || error instanceof Unanswered)) throw error;
    }
    if (this.asked !== seq || this.ended) return;
    if (found === null) setTimeout(() => this.follow(), PAUSE_OF_HAND);
    if (found?.seq !== following.seq) {
      this.asked = -1;
      return;
    }
    const listed = JSON.stringify([found.turn, found.moves]);
    if (listed !== this.listed) this.letGo();
    Object.assign(this, { asked: found.seq, moves: found, listed });
    this.changed();
  }

  /** What is legal after the last event. Throws `Answer` or `Unanswered`. */
  legal() {
    return askFor(`/api/matches/${this.following.match}/moves`);
  }

  /** Whether these are the actions of the event that the phone has seen last. */
  get current() {
    return this.moves !== null && this.moves.seq === this.following.seq;
  }

  /** The legal actions, if it is this phone's turn. */
  get own() {
    if (!this.current || this.following.fault) return [];
    if (this.moves.turn !== this.following.mine) return [];
    return this.moves.moves;
  }

  /** How they are made on the board. */
  get ways() {
    return this.own.length ? this.moves.ways : NO_WAYS;
  }

  /** What this seat may do that is not done by moving pieces, beside the turn too. */
  get words() {
    if (!this.current) return [];
    const beside = this.moves.beside.filter(({ seat }) => seat === this.following.mine);
    return [...this.own.filter(({ paths }) => !paths.length), ...beside];
  }

  get seat() {
    const { course, mine } = this.following;
    return Math.max(0, course.roster.seats.indexOf(mine));
  }

  /** The board with the steps made, as long as the actions belong to it. */
  board(standing) {
    if (!this.current) return standing;
    return afterSteps(standing, this.steps, this.seat);
  }

  /** The places that can be chosen once the steps are made. */
  choosable() {
    const { ways, steps, picked } = this;
    const targets = picked === null ? new Map() : targetsFrom(ways, steps, picked);
    return { free: pickable(ways, steps), targets };
  }

  /** A place was chosen: a piece is picked up or put down there. Gives what happened. */
  choose(place) {
    const { free, targets } = this.choosable();
    if (targets.has(place)) {
      this.steps = [...this.steps, ...targets.get(place)];
      this.picked = null;
      return "moved";
    }
    if (place === this.picked || !free.has(place)) {
      const held = this.picked !== null;
      this.picked = null;
      return held ? "put back" : "nothing";
    }
    this.picked = place;
    return "picked";
  }

  undo() {
    this.steps = this.steps.slice(0, -1);
    this.picked = null;
  }

  /** The whole actions that the steps are. */
  get finished() {
    return finishedBy(this.own, this.ways, this.steps);
  }

  /** Whether more steps could follow. */
  get unfinished() {
    return unfinishedBy(this.ways, this.steps);
  }

  diceLeft(dice) {
    return diceLeft(this.steps, dice);
  }
}
