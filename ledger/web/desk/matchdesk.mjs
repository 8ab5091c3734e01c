/* One match at the desk: what is known of it, what is proposed, what was signed. It follows the
   stream; what is proposed belongs to the event that was seen, and is withdrawn when the match goes
   on. Nothing here draws. */

import { plainWords } from "../../page/face/elements.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered, askFor } from "../phone/asking.mjs";
import { factsOf, rehearse, signActs } from "./deskapi.mjs";
import { isNobodyIn } from "./deskdoor.mjs";
import { Line } from "./deskline.mjs";
import { Followed } from "./followed.mjs";
import { ScribeHand } from "./scribehand.mjs";

const WENT_ON =
  "The match has gone on since you saw this. Nothing was stored. Look again, then decide.";
const UNKNOWN =
  "The server does not answer. Look at the log before you sign this again: it may be stored.";

/** `draw` is called after each change, `say` speaks, `lineChanged` hears of the line to the server,
    `knock` asks whether the arbiter is still in. */
export class MatchDesk {
  constructor({ match, signs, shut, room, draw, say, focus, lineChanged, refused, knock }) {
    Object.assign(this, { match, signs, shut, room, draw, say, focus, refused, knock });
    this.following = new Followed(match);
    this.hand = new ScribeHand(this.following, () => this.draw());
    Object.assign(this, { show: null, facts: null, log: [], read: -1, reading: false });
    Object.assign(this, { proposal: null, outcome: null, refusal: null, signing: false });
    Object.assign(this, { lacking: new Map(), unfolded: new Set() });
    Object.assign(this, {
      turned: false,
      cursor: null,
      correcting: null,
      comingBack: null,
      effect: "dismiss",
      proposals: 0,
    });
    this.line = new Line({
      path: () => `/api/matches/${match}/stream?since=${this.following.seq}&hash=${this.show.head}`,
      take: (event, data) => this.take(event, data),
      changed: (line) => {
        lineChanged(line);
        if (line.live) this.makeUp();
      },
      refused,
    });
  }

  /** Asks again for what could not be learnt while the line was down. */
  makeUp() {
    this.hand.follow();
    if (!this.current) this.learn();
  }

  async start() {
    const found = await this.asked(() => askFor(`/api/matches/${this.match}`));
    if (found === null) return;
    this.stand(found);
    await this.line.start();
  }

  stop() {
    this.line.stop();
  }

  /** Whether somebody signs here, and whether they were shut out; what was typed stays. */
  become(signs, shut) {
    const back = this.shut && !shut;
    Object.assign(this, { signs, shut });
    if (this.show === null) return;
    this.draw();
    if (back || signs !== (this.facts !== null)) this.learn();
  }

  /** Whether nothing can be pressed now. */
  get busy() {
    return this.signing || this.shut;
  }

  /** Whether the arbiter's key of this match can sign here. */
  get writes() {
    return this.signs && this.facts?.yours === true;
  }

  get current() {
    return this.facts !== null && this.facts.head === this.show.head;
  }

  /** The board's part asks it so. */
  get question() {
    return this.proposal;
  }

  take(event, data) {
    if (event === "parted") this.read = -1;
    if (event === "table") this.stand(data);
  }

  /** The match as the server tells it now. */
  stand(show) {
    const before = this.show;
    if (before?.head === show.head) return;
    if (before && show.seq <= before.seq) this.read = -1;
    this.show = show;
    this.hand.asked = -1;
    if (this.proposal && this.proposal.expect !== show.head && !this.signing) this.overtaken();
    this.follow();
    this.draw();
    this.learn();
  }

  overtaken() {
    this.proposal = null;
    this.refuse(new Answer("stale", WENT_ON));
  }

  follow() {
    this.following.follow(this.show, this.writes);
    this.hand.letGo();
    this.hand.follow();
  }

  /** Asks for what the stream does not tell. */
  async learn() {
    const { head } = this.show;
    const [facts, log] = await Promise.all([
      this.signs ? this.asked(() => factsOf(this.match)) : null,
      this.asked(() => askFor(`/api/matches/${this.match}/log`)),
    ]);
    if (this.show.head !== head) return;
    if (log) this.hear(log.events);
    if (facts?.head === head) this.facts = facts;
    this.following.follow(this.show, this.writes);
    this.draw();
  }

  /** The log was read; what is new in it is spoken. */
  hear(events) {
    const fresh =
      this.read < 0
        ? []
        : events.filter(({ seq, type }) => seq > this.read && type !== "dice.committed");
    this.log = events;
    this.read = events.at(-1).seq;
    fresh.slice(-3).forEach(({ text }) => this.say(`${text}.`));
    if (fresh.length) this.say(this.show.next);
  }

  // -- acts ----------------------------------------------------------------------------------

  /** What the board's parts ask: the act of a seat that has no key. */
  ask({ title, yes, draft, form = null }) {
    const seat = this.hand.seatOf(draft);
    return this.propose({ title, yes, drafts: [{ ...draft, for: seat }], form });
  }

  /** Has acts rehearsed, and shows what they would do. */
  async propose({ title, yes, drafts, form = null }) {
    if (this.busy) return;
    const asker = document.activeElement?.closest?.("[data-key]")?.dataset.key ?? null;
    const acts = { match: this.show.match, expect: this.show.head, drafts };
    const rehearsed = await this.working(() => rehearse(acts));
    if (rehearsed === null) return;
    this.proposals += 1;
    const number = this.proposals;
    this.proposal = {
      title: plainWords(title),
      yes,
      drafts,
      form,
      asker,
      rehearsed,
      number,
      expect: acts.expect,
    };
    this.draw();
    this.focus("proposal-title");
  }

  withdraw() {
    const { asker } = this.proposal;
    this.proposal = null;
    this.draw();
    this.focus(asker);
  }

  async sign() {
    const { drafts, expect, form, asker, rehearsed } = this.proposal;
    if (this.busy) return;
    const acts = { match: this.show.match, expect, drafts };
    const after = await this.working(() => signActs(acts));
    if (after === null && this.shut) return; // it waits for whoever comes in again
    this.proposal = null;
    if (after !== null) {
      form?.reset();
      Object.assign(this, { correcting: null, effect: "dismiss" });
      const text = rehearsed.events.map((event) => event.text).join("; ");
      this.outcome = { seq: after.seq, head: after.head, text: `${text}.` };
      this.say(`Event ${after.seq} is signed and stored.`);
      if (after.seq > this.show.seq) this.stand(after);
    }
    this.draw();
    this.focus(after === null ? "refusal" : "outcome");
    this.comingBack = after === null ? null : asker;
  }

  /** Whoever signed goes on where they were, as soon as that is there again. */
  drawn() {
    const { comingBack } = this;
    if (comingBack === null || this.busy || !this.hand.current || !this.current) return;
    this.comingBack = null;
    const there = document.activeElement?.dataset?.key;
    if (["outcome", undefined].includes(there)) this.focus(comingBack, "outcome");
  }

  refuse(answer) {
    this.refusal = answer;
    this.outcome = null;
    this.draw();
    this.focus("refusal");
    this.say(answer.message);
  }

  /** Shows what fields lack, by each of them, and goes to the first. */
  lack(found) {
    Object.assign(this, { lacking: found, refusal: null, outcome: null });
    this.draw();
    this.focus(`${[...found.keys()][0]}-field`);
  }

  /** Does something that must not be done twice at once; `null` when it did not go. */
  async working(act) {
    Object.assign(this, { signing: true, refusal: null, outcome: null });
    this.lacking.clear();
    this.draw();
    return this.asked(() => act().finally(() => (this.signing = false)));
  }

  /** What an answer says; `null` where the server refuses or is silent, which is shown. */
  async asked(act) {
    try {
      return await act();
    } catch (error) {
      const answer = error instanceof Unanswered ? new Answer("unanswered", UNKNOWN) : error;
      if (!(answer instanceof Answer)) throw error;
      if (isNobodyIn(answer)) {
        await this.knock();
        if (!this.shut) this.refuse(answer);
        return null;
      }
      if (this.show === null) this.refused(answer);
      else if (answer.code === "stale") await this.catchUp();
      else this.refuse(answer);
      return null;
    }
  }

  /** Somebody else was first: says so, and shows how the match stands now. */
  async catchUp() {
    this.overtaken();
    const found = await this.asked(() => askFor(`/api/matches/${this.match}`));
    if (found !== null) this.stand(found);
  }

  // -- the board -----------------------------------------------------------------------------

  moveCursor(place) {
    this.cursor = place;
    this.draw();
    this.focus(`place-${place}`);
  }

  turnBoard() {
    this.turned = !this.turned;
    this.draw();
  }
}
