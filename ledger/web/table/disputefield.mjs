/* Disputes, what is said in them, and appeals. The words are signed as they are typed. */

import { element, quoted } from "../../page/face/elements.mjs";
import { notAccepted, phaseOf, underWay } from "../../page/verifier/course.mjs";
import { Answer } from "../phone/answer.mjs";
import { chosenFrom, filledIn, foldedUntilAsked, labelled, pressed } from "./controls.mjs";
import { ended, holderInWords, spokenEvent } from "./sayings.mjs";

const MOST_LISTED = 200;
const LONGEST = "4000";
const NOTHING_NOW = "There is nothing to dispute or to state now.";

function wordsField(name, words) {
  const field = element("textarea", { name, id: `field-${name}`, rows: "3", maxlength: LONGEST });
  return labelled(name, words, field);
}

/** The dispute that is open, above everything else that can be done. */
export function openDispute(sitting) {
  const { course } = sitting.following;
  if (!course?.dispute) return null;
  const number = course.hashes.indexOf(course.dispute.hash);
  const settled = [...course.dispute.settled];
  return element(
    "section",
    { class: "warning", "data-key": `dispute-${course.dispute.hash}`, "aria-label": "A dispute" },
    element("p", {}, element("strong", {}, "The game is held up. "), quotedEvent(sitting, number)),
    settled.length
      ? element(
          "p",
          {},
          "Would end it as the game stands: ",
          settled.map((seat) => holderInWords(course, seat)),
          ".",
        )
      : null,
    settling(sitting),
  );
}

function quotedEvent({ report }, number) {
  return number < 0 ? "A dispute is open." : quoted(spokenEvent(report, number));
}

function settling(sitting) {
  const { following, busy } = sitting;
  const { course, mine } = following;
  const { dispute, opening, roster } = course;
  if (!opening.settlements) {
    return element(
      "p",
      {},
      "In this match a dispute is not ended by agreement: the arbiter rules.",
    );
  }
  if (!roster.seats.every((seat) => roster.holder(seat).key) || dispute.settled.has(mine))
    return null;
  const ask = () =>
    sitting.ask({
      title: "End the dispute?",
      words: ["The game goes on as it stands, if the other side agrees too."],
      ...{
        yes: "Sign: I would settle it",
        draft: { type: "dispute.settled", data: { dispute: dispute.hash } },
      },
    });
  return pressed(`settle-${dispute.hash}`, "End it by agreement …", ask, { off: busy });
}

export function disputing(sitting) {
  const { course } = sitting.following;
  if (!course) return null;
  return foldedUntilAsked(sitting, "disputing", "Dispute, statement, appeal", () => {
    const parts = [statement(sitting), complaint(sitting), appealing(sitting)].filter(Boolean);
    return parts.length ? parts : element("p", {}, NOTHING_NOW);
  });
}

/** The words of a form, or null once it is said that they are missing. */
function wordsOf(sitting, form, name) {
  const text = form.elements[name].value.trim();
  if (text) return text;
  sitting.refuse(new Answer("no-words", "Say in words what it is about."));
  return null;
}

const UNDISPUTED = ["seat.accepted", "dice.committed", "roll.opened"];

/** The numbers of the events, the latest first; before all the last act of the other seat, which is
    what is mostly complained of. */
function likeliestFirst(course, mine) {
  const latest = [...course.events.keys()].reverse();
  const others = course.roster.seats.filter((seat) => seat !== mine);
  const theirs = latest.find((number) => {
    const { type, by, for: whose } = course.events[number];
    return others.includes(whose ?? by) && !UNDISPUTED.includes(type);
  });
  if (theirs === undefined) return latest;
  return [theirs, ...latest.filter((number) => number !== theirs)];
}

function complaint(sitting) {
  const { following, report, busy } = sitting;
  const { course } = following;
  const begun = phaseOf(course) !== "waiting" || underWay(course);
  if (course.sheet || course.dispute || !begun || notAccepted(course).includes(following.mine))
    return null;
  const listed = likeliestFirst(course, following.mine)
    .slice(0, MOST_LISTED)
    .map((number) => [number, `${number}: ${spokenEvent(report, number)}`]);
  const send = (form) => {
    const text = wordsOf(sitting, form, "complaint");
    if (text === null) return;
    const event = Number(form.elements.disputed.value);
    sitting.ask({
      title: "Raise a dispute?",
      words: [
        `Event ${event} is disputed: `,
        ended(quoted(text)),
        " The game rests until the arbiter has ruled.",
      ],
      ...{
        yes: "Sign the dispute",
        draft: { type: "dispute.raised", data: { event, text } },
        form,
      },
    });
  };
  return filledIn("complaint-form", "Raise a dispute …", send, { off: busy }, [
    labelled("disputed", "The event that is wrong", chosenFrom("disputed", listed)),
    wordsField("complaint", "What is wrong with it"),
  ]);
}

function statement(sitting) {
  const { following, busy } = sitting;
  const { course } = following;
  const appealed = course.appeals.findLast(({ decided }) => !decided)?.hash;
  const about = course.dispute?.hash ?? course.perhapsDisputed ?? appealed ?? null;
  if (about === null) return null;
  const send = (form) => {
    const text = wordsOf(sitting, form, "statement");
    if (text === null) return;
    sitting.ask({
      title: "Sign this statement?",
      words: [`About event ${course.hashes.indexOf(about)}: `, quoted(text)],
      ...{ yes: "Sign the statement", draft: { type: "statement", data: { about, text } }, form },
    });
  };
  const field = wordsField("statement", "What you have to say about it");
  return filledIn(`statement-${about}`, "Make a statement …", send, { off: busy }, field);
}

function appealing(sitting) {
  const { following, report, busy } = sitting;
  const { course } = following;
  const appealable = [...course.events.entries()]
    .filter(([, { type }]) => ["ruling", "match.closed"].includes(type))
    .filter(([, event]) => !course.appeals.some(({ against }) => against === event))
    .reverse();
  if (!appealable.length) return null;
  if (!course.roster.holder("appeal")) {
    return element("p", {}, "This match was opened without anybody who decides appeals.");
  }
  const listed = appealable.map(([number]) => [
    number,
    `${number}: ${spokenEvent(report, number)}`,
  ]);
  const send = (form) => {
    const text = wordsOf(sitting, form, "appeal");
    if (text === null) return;
    const number = Number(form.elements.appealed.value);
    const draft = { type: "appeal", data: { against: course.hashes[number], text } };
    const words = [`Against event ${number}: `, quoted(text)];
    sitting.ask({ ...{ title: "Appeal?", words, yes: "Sign the appeal", draft, form } });
  };
  return filledIn("appeal-form", "Appeal …", send, { off: busy }, [
    labelled("appealed", "Against", chosenFrom("appealed", listed)),
    wordsField("appeal", "Why"),
  ]);
}
