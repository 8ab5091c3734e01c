/* Tables that are set out for phones: who has come and with which key, so that it can be compared
   with what the phone shows; and taking one away. They lie beside the ledger, so that no stream
   tells of them: the server is asked. */

import { element, plainWords, quoted } from "../../page/face/elements.mjs";
import { keyInGroups, nameOf, oclock, pairing } from "../hall/spoken.mjs";
import { Answer } from "../phone/answer.mjs";
import { Unanswered } from "../phone/asking.mjs";
import { pressed } from "../table/controls.mjs";
import { tablesSetOut, withdrawTable } from "./deskapi.mjs";
import { isNobodyIn } from "./deskdoor.mjs";

const LOOKS_AGAIN = 10_000;
const LOOKS_SOON_AGAIN = 3_000;

export class DeskTables {
  constructor({ draw, say, focus, knock }) {
    Object.assign(this, { draw, say, focus, knock });
    Object.assign(this, { tables: [], arbiter: null, shut: false, looking: false });
    Object.assign(this, { question: null, refusal: null, busy: false, timer: null });
  }

  become(arbiter, shut) {
    Object.assign(this, { arbiter, shut });
    this.look();
  }

  enter() {
    this.looking = true;
    this.look();
  }

  leave() {
    Object.assign(this, { looking: false, question: null, refusal: null });
    clearTimeout(this.timer);
  }

  get off() {
    return this.busy || this.shut;
  }

  /** Asks who has come, and goes on asking for as long as somebody looks. */
  async look() {
    clearTimeout(this.timer);
    if (!this.looking || this.arbiter === null || this.shut) return;
    if (!document.hidden) await this.asked(async () => this.take(await tablesSetOut()));
    clearTimeout(this.timer);
    const soon = this.tables.length ? LOOKS_SOON_AGAIN : LOOKS_AGAIN;
    this.timer = setTimeout(() => this.look(), soon);
  }

  take(tables) {
    const before = new Set(this.tables.flatMap(({ id, seats }) => seats.map(cameAs(id))));
    const known = new Set(this.tables.map(({ id }) => id));
    for (const table of tables.filter(({ id }) => known.has(id))) {
      const fresh = table.seats.filter((seat) => seat.keyid && !before.has(cameAs(table.id)(seat)));
      fresh.forEach(({ name }) => this.say(plainWords([name, " has come: ", whereSet(table), "."])));
    }
    this.tables = tables;
    if (!tables.some(({ id }) => id === this.question)) this.question = null;
    this.draw();
  }

  ask(table) {
    Object.assign(this, { question: table.id, refusal: null });
    this.draw();
    this.focus(`withdrawing-${table.id}`);
  }

  leaveIt(table) {
    this.question = null;
    this.draw();
    this.focus(`withdraw-${table.id}`);
  }

  async withdraw(table) {
    if (this.off) return;
    this.busy = true;
    this.draw();
    const left = await this.asked(() => withdrawTable(table.id));
    this.busy = false;
    this.question = null;
    if (left) {
      this.say(plainWords([whereSet(table), " is withdrawn."]));
      this.take(left);
    } else this.look();
    this.draw();
    this.focus("tables-refusal", "tables-title", "found-all");
  }

  /** What the server says; `null` where it refuses, which is shown, or is silent, which the line
      says. */
  async asked(act) {
    try {
      return await act();
    } catch (error) {
      if (isNobodyIn(error)) await this.knock();
      else if (error instanceof Answer) this.refusal = error;
      else if (!(error instanceof Unanswered)) throw error;
      return null;
    }
  }
}

function cameAs(id) {
  return ({ seat, keyid }) => `${id} ${seat} ${keyid}`;
}

function whereSet({ table, seats }) {
  return table ? ["Table ", quoted(table)] : pairing(seats.map(({ name }) => name));
}

/** The section of the desk; `null` where nothing is set out. */
export function tablesShown(desk) {
  const { tables, refusal } = desk;
  if (!tables.length && !refusal) return null;
  return element(
    "section",
    { "data-key": "tables", class: "group setout", "aria-labelledby": "tables-title" },
    element(
      "h2",
      { id: "tables-title", tabindex: "-1", "data-key": "tables-title" },
      `Set out for phones: ${tables.length}`,
    ),
    refusal
      ? element(
          "p",
          {
            ...{ class: "refused", "data-key": "tables-refusal", tabindex: "-1" },
            "data-code": refusal.code,
          },
          refusal.message,
        )
      : null,
    element(
      "ul",
      { class: "lines" },
      tables.map((table) => tableSet(desk, table)),
    ),
  );
}

function tableSet(desk, table) {
  const { id, seats, match, ruleset, expires_at: ends } = table;
  const names = pairing(seats.map(({ name }) => name));
  const what = match
    ? ["a new phone in ", element("a", { href: `#${match}` }, "this match")]
    : table.table
      ? names
      : quoted(ruleset);
  return element(
    "li",
    { "data-key": `set-${id}`, "data-set": id },
    element("p", {}, element("b", {}, whereSet(table)), ": ", what, withdrawing(desk, table)),
    desk.question === id ? reallyWithdraw(desk, table) : null,
    element(
      "ul",
      { class: "coming" },
      seats.map((seat) => element("li", {}, seatSet(seat))),
    ),
    element(
      "p",
      { class: "faint" },
      stillAwaited(seats),
      `The codes are good until ${oclock(new Date(ends))}.`,
      desk.arbiter === table.keyid ? null : [" Set out by ", nameOf(table.arbiter), "’s key."],
    ),
  );
}

function seatSet({ seat, name, joins, keyid }) {
  const who = [nameOf(name), " (", quoted(seat), ")"];
  if (!joins) return [who, keyid ? [" signs with ", keyInGroups(keyid)] : ": you write"];
  return keyid
    ? ["✓ ", who, " has come with ", keyInGroups(keyid)]
    : ["… ", who, element("strong", {}, " is awaited")];
}

function stillAwaited(seats) {
  const all = seats.every(({ joins, keyid }) => !joins || keyid);
  return all ? "All have come: the arbiter's signature is awaited. " : "";
}

function withdrawing(desk, table) {
  if (desk.arbiter !== table.keyid || desk.question === table.id) return null;
  const words = ["Withdraw", element("span", { class: "unseen" }, " ", whereSet(table)), " …"];
  const look = { off: desk.off, kind: "link" };
  return [" ", pressed(`withdraw-${table.id}`, words, () => desk.ask(table), look)];
}

function reallyWithdraw(desk, table) {
  const look = { off: desk.off, kind: "main" };
  return element(
    "div",
    { class: "proposal", "data-key": `asks-${table.id}` },
    element(
      "p",
      { tabindex: "-1", "data-key": `withdrawing-${table.id}` },
      "Withdraw ",
      table.table ? whereSet(table) : "this table",
      "? Its codes are good no longer then, and phones that wait are told so. Nothing was signed yet.",
    ),
    element("div", { class: "row" }, [
      pressed(`really-${table.id}`, "Withdraw it", () => desk.withdraw(table), look),
      pressed(`not-${table.id}`, "Leave it", () => desk.leaveIt(table)),
    ]),
  );
}
