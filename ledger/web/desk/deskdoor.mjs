/* The way in: by the link, once; by what is kept of it, after every reload and every break of the
   line. A server that was started anew knows nobody, and then nothing is signed here. */

import { Answer } from "../phone/answer.mjs";
import { Unanswered } from "../phone/asking.mjs";
import { comeIn, sessionHere } from "./deskapi.mjs";
import { PASS_NAME, tokenTaken } from "./deskpass.mjs";

const NOBODY_IN = 401;

/** `admitted(session)` is told who signs, as often as it was asked; `shutOut(answer)` why nobody
    does; `unheard()` that no answer came; `elsewhere()` that the address names something else. */
export class DeskDoor {
  constructor({ admitted, shutOut, unheard, elsewhere }) {
    Object.assign(this, { admitted, shutOut, unheard, elsewhere });
    this.token = null;
    this.asked = Promise.resolve();
  }

  start() {
    window.addEventListener("hashchange", ({ oldURL }) => this.turn(new URL(oldURL).hash));
    window.addEventListener("storage", ({ key }) => key === PASS_NAME && this.knock());
    this.token = tokenTaken();
    this.knock();
  }

  /** A fresh link may be opened where the desk is open already. */
  turn(before) {
    const token = tokenTaken(before);
    if (token === null) return this.elsewhere();
    this.token = token;
    this.knock();
  }

  /** One after the other: what was asked before a link was opened is not told after it. */
  knock() {
    this.asked = this.asked.then(() => this.#ask());
  }

  async #ask() {
    try {
      this.admitted(await this.#enter());
    } catch (error) {
      if (error instanceof Answer) this.shutOut(error);
      else if (error instanceof Unanswered) this.unheard();
      else throw error;
    }
  }

  /** Whoever is in does not use the link up; a link that the server has not heard of stays good. */
  async #enter() {
    try {
      return await sessionHere();
    } catch (error) {
      if (this.token === null || !isNobodyIn(error)) throw error;
    }
    try {
      await comeIn(this.token);
      this.token = null;
    } catch (error) {
      if (error instanceof Answer) this.token = null;
      throw error;
    }
    return sessionHere();
  }
}

/** Whether the server says that it knows nobody here. */
export function isNobodyIn(error) {
  return error instanceof Answer && error.status === NOBODY_IN;
}
