/* A seat at a table: what the phone knows of one match, what the player is about to do in it. Every
   signature goes through `act`, for the event that the person saw last. */

import { act } from "../phone/acting.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered } from "../phone/asking.mjs";
import { Following } from "../phone/following.mjs";
import { arbiterTold } from "../phone/joining.mjs";
import { contributorsOf } from "../../page/verifier/rolls.mjs";
import { Announcer } from "./announcing.mjs";
import { questionOf, withdrawOld } from "./question.mjs";
import { reportOf, shortened } from "./sayings.mjs";
import { SeatHand } from "./seathand.mjs";
import { drawTable } from "./tableshown.mjs";
import { stayAwake } from "./wakefulness.mjs";

const LONGEST_REST = 400;
const PART_OF_TIME = 3;

export class Sitting {
  /** `leave` goes back to the list of matches; `named` is told what the match is called. */
  constructor({ match, storage, keys, room, leave, named }) {
    Object.assign(this, { storage, keys, room, leave, named });
    Object.assign(this, { busy: false, question: null, refusal: null, notice: "", cursor: null });
    Object.assign(this, { noticed: [], turned: null, wholeLog: false, show: null, reported: null });
    Object.assign(this, { kept: false, left: false, cameFrom: null, waiting: null, pause: 0 });
    Object.assign(this, { unsent: null, rollTold: null, sleep: null });
    this.sealLooked = null;
    this.unfolded = new Set();
    this.following = new Following({ match, storage, keys, changed: () => this.changed() });
    this.hand = new SeatHand(this.following, () => this.draw());
    this.announcer = new Announcer(this);
    this.tried = this.tried.bind(this);
  }

  start() {
    this.draw();
    this.following.start();
  }

  /** Leaves the table. What still comes for it is not drawn. */
  stop() {
    this.left = true;
    this.sleep?.();
    this.hand.end();
    this.following.stop();
  }

  /** Many events may come at once: what they change together is shown once, and most of the time
      is left for reading them. */
  changed() {
    this.waiting ??= setTimeout(() => {
      this.waiting = null;
      if (this.left) return;
      const begun = performance.now();
      this.#keepUp();
      this.pause = Math.min(LONGEST_REST, PART_OF_TIME * (performance.now() - begun));
    }, this.pause);
  }

  #keepUp() {
    const { following } = this;
    this.show = following.show ?? this.show;
    if (this.turned === null && following.course && following.mine !== null) {
      this.turned = following.course.roster.seats.indexOf(following.mine) === 1;
    }
    this.#keepSeat();
    this.#keepAwake();
    if (this.notice && !this.noticed.includes(following.head)) this.notice = "";
    this.#noticeSent();
    withdrawOld(this);
    if (following.course && following.show) this.hand.follow();
    this.draw();
    this.announcer.changed();
  }

  /** Whoever makes dice is waited for: their phone does not fall asleep before the match is closed. */
  #keepAwake() {
    const { course, mine } = this.following;
    const makes = course && !course.sheet && contributorsOf(course).includes(mine);
    if (makes) this.sleep ??= stayAwake();
    else if (this.sleep) {
      this.sleep();
      this.sleep = null;
    }
  }

  /** What was kept for want of a line is in the match now. */
  #noticeSent() {
    const { unsent, following } = this;
    if (!unsent || !following.has(unsent.hash)) return;
    this.unsent = null;
    if (!this.notice) return;
    this.notice = signedInWords(unsent);
    this.say(this.notice);
  }

  /** The verified events as a report, made once for each event. */
  get report() {
    const { head, seq } = this.following;
    if (this.reported?.head !== head || this.reported.seq !== seq) {
      this.reported = { head, seq, report: reportOf(this.following) };
    }
    return this.reported.report;
  }

  async #keepSeat() {
    const { match, course, mine } = this.following;
    if (this.kept || !course || mine === null) return;
    this.kept = true;
    const { name } = course.roster.holder(mine);
    const arbiter = await arbiterTold(this.storage, [match]);
    await this.storage.put(["seats", { place: match, code: null, match, seat: mine, name, arbiter }]);
  }

  say(words) {
    this.announcer.say(words);
  }

  /** Puts the question before a signature. */
  ask(asked) {
    this.putQuestion(questionOf(this.following, asked));
  }

  putQuestion(question) {
    const before = this.room.ownerDocument.activeElement?.dataset?.key;
    if (question) this.cameFrom = before ?? null;
    Object.assign(this, { question, refusal: null, notice: "" });
    this.draw();
    if (question) this.room.querySelector("#question-title")?.focus();
    else this.#focusOn(this.cameFrom);
  }

  #focusOn(key) {
    if (key) this.room.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  async sign() {
    const { question, busy } = this;
    if (!question || busy) return;
    if (question.sign) await this.signing(question.sign.task);
    else await this.signNow(question.draft, question.head);
    if (this.question !== question) return;
    const gone = this.refusal !== null;
    this.question = null;
    if (!gone) question.form?.reset();
    this.draw();
  }

  /** Signs at once, for the event that the person sees. A click twice acts once. */
  signNow(draft, head = this.following.head) {
    return this.signing(() => act(this.following, draft, head));
  }

  async signing(task) {
    if (this.busy) return;
    const { steps } = this.hand;
    Object.assign(this, { busy: true, refusal: null, notice: "" });
    this.draw();
    const signed = await this.tried(task);
    this.busy = false;
    if (signed) {
      if (steps.length && this.hand.steps === steps) this.hand.letGo();
      this.noticed = [this.following.head, signed.hash];
      this.unsent = signed.sent ? null : signed;
      this.notice = signed.sent
        ? signedInWords(signed)
        : `Signed and kept: event ${signed.seq}. It is sent when the server answers.`;
      this.say(this.notice);
    }
    this.draw();
  }

  /** Does it, or says why not; gives null then. */
  async tried(task) {
    try {
      return await task();
    } catch (error) {
      if (error instanceof Answer) this.refuse(error);
      else if (error instanceof Unanswered) {
        this.refuse(new Answer("unanswered", "The server does not answer. Try again."));
      } else throw error;
      return null;
    }
  }

  refuse(answer) {
    this.refusal = answer;
    this.draw();
  }

  moveCursor(place) {
    this.cursor = place;
    this.draw();
    this.room.querySelector(`.places [data-place="${CSS.escape(place)}"]`)?.focus();
  }

  turnBoard() {
    this.turned = !this.turned;
    this.draw();
  }

  showWholeLog() {
    this.wholeLog = true;
    this.draw();
  }

  draw() {
    if (this.left) return;
    this.named(this.following);
    drawTable(this);
    this.#catchFocus();
  }

  /** Where the button that was pressed is gone, what can be done now comes next. */
  #catchFocus() {
    if (document.activeElement !== this.room) return;
    this.room.querySelector(".now")?.focus({ preventScroll: true });
  }
}

function signedInWords({ seq, hash }) {
  return `Signed: event ${seq}, ${shortened(hash)}.`;
}
