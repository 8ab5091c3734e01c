/* The match in words: the events as the verifying page tells them, from what the phone has
   verified. The server's own words are not used here. */

import { plainWords, quoted } from "../../page/face/elements.mjs";
import { tell } from "../../page/face/telling.mjs";
import { supersededActs } from "../../page/verifier/course.mjs";

/** What the phone has verified, in the form of a report. */
export function reportOf({ events, course }) {
  return {
    ...{ events, positions: null, opening: course?.opening ?? null },
    parties: course?.roster.tenures ?? [],
    rolls: course?.rolling.rolls ?? [],
    superseded: course ? supersededActs(course) : new Map(),
  };
}

/** An event in a sentence, as parts to show. */
export function toldEvent(report, number) {
  return ended(withTitles(tell(report, number)));
}

const OFFICES = /^(?:arbiter|appeal|witness)/;

/** A role as people write it: "White"; "arbiter". */
export function titleOf(role) {
  return OFFICES.test(role) ? role : role[0].toUpperCase() + role.slice(1);
}

/** The roles that stand in brackets behind names, as people write them. */
function withTitles(parts) {
  return parts.map((part, place) => {
    if (Array.isArray(part)) return withTitles(part);
    const bracketed = parts[place - 1] === " (" && parts[place + 1] === ")";
    return bracketed && part?.text ? quoted(titleOf(part.text)) : part;
  });
}

/** A sentence of the server, with these roles in brackets as this page writes them. */
export function serversWords(sentence, roles) {
  return sentence.replace(/\((?:the )?([a-z]+)\)/gi, (whole, word) => {
    const role = [...roles, "arbiter"].find((each) => each === word.toLowerCase());
    return role ? `(${titleOf(role)})` : whole;
  });
}

/** With a full stop, unless the words end with one of their own. */
export function ended(words) {
  return [words, /[.!?…]$/u.test(plainWords(words).trimEnd()) ? "" : "."];
}

export function spokenEvent(report, number) {
  return plainWords(toldEvent(report, number));
}

/** Who holds a role now: the name, and the role in brackets. */
export function holderInWords(course, role) {
  const holder = course.roster.holder(role);
  return holder ? [quoted(holder.name), " (", quoted(titleOf(role)), ")"] : [quoted(role)];
}

/** What is offered, after "offers". */
export function termsInWords(course, terms) {
  if (terms.offer === "draw") return ["a draw"];
  if (terms.offer === "takeback") return [`to go back: the game stands as after event ${terms.to}`];
  const shares = terms.split.flatMap((share, place) => [
    place ? ", " : "",
    holderInWords(course, course.roster.seats[place]),
    ` ${share}`,
  ]);
  return ["a settlement: ", shares];
}

/** The first digits of a hash, for the eye. */
export function shortened(hash) {
  return hash.slice(0, 12);
}

/** The acts that still stand, the last one first: their numbers. */
export function lastActs(course, numbers) {
  return [...numbers]
    .filter((number) => number > 0 && course.moments[number].acted)
    .sort((one, other) => other - one);
}
