/* What is agreed to before a match begins, from the signed opening, and one button to accept it. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { notAccepted } from "../../page/verifier/course.mjs";
import { acceptSeat } from "../phone/acting.mjs";
import { folded, pressed } from "./controls.mjs";
import { holderInWords } from "./sayings.mjs";

const SEALED = new Map([
  ["loses", "loses the game"],
  ["ruling", "is for the arbiter to rule on"],
]);

function line(term, ...words) {
  return [element("dt", {}, term), element("dd", {}, words)];
}

function diceInOpening(course) {
  const { dice } = course.opening;
  if (!dice) return "none";
  if (dice.scheme === "physical/1") {
    return dice.confirm
      ? "on the table; the other side confirms them"
      : "on the table, as written down";
  }
  const makers = dice.contributors.flatMap((role, place) => [
    place ? ", " : "",
    holderInWords(course, role),
  ]);
  return ["made together by the secret numbers of ", makers];
}

function fingerprintOf({ keyid }) {
  return ["SHA256:", inGroups(keyid.slice(7))];
}

function valueInWords(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return quoted(value);
}

function optionsInWords(options) {
  return Object.entries(options).map(([name, value]) =>
    element("li", {}, quoted(name.replaceAll("_", " ")), ": ", valueInWords(value)),
  );
}

/** What the opening says, in words. */
export function termsOfMatch({ following, show }) {
  const { course } = following;
  const { opening, roster } = course;
  const { name, version, options, document } = opening.ruleset;
  const changed = show?.changed_options ?? {};
  const about = ["event", "round", "table", "place", "date"].filter((each) => opening[each]);
  const seats = roster.seats.flatMap((seat) => [
    holderInWords(course, seat),
    roster.holder(seat).key ? ", signs with a key of their own. " : ", the arbiter writes. ",
  ]);
  return element("div", { class: "terms", "data-key": "terms" }, [
    element("dl", { class: "facts" }, [
      line("Rules", quoted(name), `, version ${version}`),
      line("Players", seats),
      line(
        "Arbiter",
        holderInWords(course, "arbiter"),
        ", key ",
        fingerprintOf(roster.holder("arbiter").key),
      ),
      line("Dice", diceInOpening(course)),
      line("Takebacks", opening.takebacks ? "by agreement" : "none"),
      line(
        "Disputes, settlements",
        opening.settlements ? "may end by agreement" : "not by agreement",
      ),
      line("A sealed move not opened", SEALED.get(opening.sealed_move_unopened) ?? "?"),
      opening.turn_cap ? line("Ends after", `${opening.turn_cap} turns`) : null,
      opening.opening_deadline ? line("Dice are opened", quoted(opening.opening_deadline)) : null,
      roster.holder("appeal") ? line("Appeals to", holderInWords(course, "appeal")) : null,
      ...about.map((each) => line(each[0].toUpperCase() + each.slice(1), quoted(opening[each]))),
    ]),
    element("p", {}, element("strong", {}, "Options that differ from these rules:")),
    Object.keys(changed).length
      ? element("ul", {}, optionsInWords(changed))
      : element("p", {}, "None, as the server tells it. All options are below."),
    folded(
      "options",
      "All options, as they are signed",
      element("ul", {}, optionsInWords(options)),
      [element("p", {}, "SHA-256 of the ruling document: ", inGroups(document))],
    ),
  ]);
}

/** Whether this phone has still to accept. */
export function mustAccept({ course, mine }) {
  return Boolean(course) && mine !== null && notAccepted(course).includes(mine);
}

export function agreeing(sitting) {
  const { following, busy } = sitting;
  const replaced = following.course.putIn.has(following.mine);
  const accept = () => sitting.signing(() => acceptSeat(following));
  return element(
    "section",
    { class: "agreeing", "data-key": "agreeing", "aria-labelledby": "agreeing-title" },
    element("h2", { id: "agreeing-title" }, "What you agree to"),
    replaced
      ? element("p", {}, "You take this seat with a new key. The match goes on as it stands.")
      : null,
    termsOfMatch(sitting),
    pressed("accept", "Accept this match", accept, { off: busy, kind: "main huge" }),
  );
}
