/* Offers: what stands, and answers to it by its hash; what can be offered, and what this match does
   not allow. The last word of a game, resigning and claiming a draw, is here too. */

import { element, plainWords } from "../../page/face/elements.mjs";
import { lastMoment, phaseOf, presentLine } from "../../page/verifier/course.mjs";
import { Refusal } from "../../page/verifier/refusal.mjs";
import { checkRewind } from "../../page/verifier/rewinds.mjs";
import { Answer } from "../phone/answer.mjs";
import { chosenFrom, filledIn, foldedUntilAsked, labelled, pressed } from "./controls.mjs";
import { adjourning } from "./restfield.mjs";
import { holderInWords, lastActs, spokenEvent, termsInWords } from "./sayings.mjs";

const MOST_TAKEN_BACK = 12;

/** The offers that stand: those of the other side with their answers. */
export function standingOffers(sitting) {
  const { course, mine } = sitting.following;
  if (!course || phaseOf(course) !== "playing") return null;
  return course.offers.map((offer) =>
    element(
      "section",
      { class: "offer", "data-key": `offer-${offer.hash}`, "aria-label": "An offer" },
      offer.seat === mine ? ownOffer(course, offer) : offerToAnswer(sitting, offer),
    ),
  );
}

function ownOffer(course, { terms }) {
  return element(
    "p",
    {},
    "You have offered ",
    termsInWords(course, terms),
    ". It waits for an answer.",
  );
}

function offerToAnswer(sitting, { hash, seat, terms }) {
  const { following, busy } = sitting;
  const { course } = following;
  const what = [holderInWords(course, seat), " offers ", termsInWords(course, terms)];
  const ask = (type, title, yes) => () =>
    sitting.ask({ title, words: [what, "."], yes, draft: { type, data: { offer: hash } } });
  return [
    element("p", {}, element("strong", {}, what, ".")),
    element("div", { class: "row" }, [
      pressed(
        `agree-${hash}`,
        "Agree …",
        ask("offer.accepted", "Agree to this?", "Sign: I agree"),
        {
          off: busy,
        },
      ),
      pressed(
        `decline-${hash}`,
        "Decline …",
        ask("offer.declined", "Decline this?", "Sign: I decline"),
        {
          off: busy,
        },
      ),
    ]),
  ];
}

/** What can be offered, claimed or given up. */
export function offering(sitting) {
  const { course } = sitting.following;
  if (!course) return null;
  const phase = phaseOf(course);
  const goesOn = phase === "playing" && !course.rolling.flight;
  const mayResign = ["playing", "adjourned"].includes(phase);
  if (!goesOn && !mayResign) return null;
  return foldedUntilAsked(sitting, "offering", "Offer, claim, resign", () => [
    goesOn ? [claiming(sitting), drawOffered(sitting), takebackOffered(sitting)] : null,
    goesOn ? [settlementOffered(sitting), adjourning(sitting.following)] : null,
    mayResign ? resigning(sitting) : null,
  ]);
}

function offeredAlready({ following }, kind) {
  const { course, mine } = following;
  return course.offers.some(({ seat, terms }) => seat === mine && terms.offer === kind);
}

function claiming(sitting) {
  const why = sitting.hand.current ? sitting.hand.moves.claim : "";
  if (!why) return null;
  const ask = () =>
    sitting.ask({
      title: "Claim the draw?",
      words: [why],
      ...{ yes: "Sign: I claim the draw", draft: { type: "draw.claimed", data: {} } },
    });
  return pressed("claim", "Claim a draw …", ask, { off: sitting.busy });
}

function drawOffered(sitting) {
  if (offeredAlready(sitting, "draw")) return null;
  const ask = () =>
    sitting.ask({
      title: "Offer a draw?",
      words: [
        "The game ends drawn if the other side agrees. The offer lapses with their next move.",
      ],
      ...{ yes: "Sign the offer", draft: { type: "offer.made", data: { offer: "draw" } } },
    });
  return pressed("draw", "Offer a draw …", ask, { off: sitting.busy });
}

/** Events that can be taken back by agreement: acts since the last throw, up to a ruling. */
function takenBack({ following }) {
  const { course } = following;
  const found = [];
  for (const number of lastActs(course, presentLine(course)).slice(0, MOST_TAKEN_BACK)) {
    const { before } = course.moments[number];
    if (["ruling", "appeal.decided"].includes(course.events[number].type)) break;
    try {
      checkRewind(course, before, course.game.dice ? "keep" : undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      break;
    }
    found.push({ number, before });
  }
  return found;
}

function takebackOffered(sitting) {
  const { following, report, busy } = sitting;
  if (!following.course.opening.takebacks) {
    return element(
      "p",
      {},
      "This match was opened without takebacks: an arbiter's ruling can go back.",
    );
  }
  if (offeredAlready(sitting, "takeback")) return null;
  const acts = takenBack(sitting);
  if (!acts.length) return null;
  const words = ({ number }) => `${number}: ${spokenEvent(report, number)}`;
  const field = chosenFrom(
    "takeback",
    acts.map((each) => [each.number, words(each)]),
  );
  const send = (form) => {
    const number = Number(form.elements.takeback.value);
    const chosen = takenBack(sitting).find((each) => each.number === number);
    if (!chosen) return sitting.refuse(new Answer("stale", "That cannot be taken back any more."));
    sitting.ask({
      title: "Offer to take back?",
      words: [`Event ${number} and what followed is taken back if the other side agrees.`],
      ...{
        yes: "Sign the offer",
        draft: { type: "offer.made", data: { offer: "takeback", to: chosen.before } },
      },
    });
  };
  const label = labelled("takeback", "Take back, with what followed", field);
  return filledIn("takeback-form", "Offer to take back …", send, { off: busy }, label);
}

function settlementOffered(sitting) {
  const { following, hand, busy } = sitting;
  const { course } = following;
  if (!hand.current || hand.moves.points === null) return null;
  if (!course.opening.settlements) {
    return element("p", {}, "This match was opened without settlements.");
  }
  if (offeredAlready(sitting, "settlement")) return null;
  const fields = course.roster.seats.map((seat, place) => {
    const input = element("input", {
      ...{ name: `share${place}`, id: `field-share${place}`, inputmode: "numeric", maxlength: "7" },
    });
    return labelled(`share${place}`, `For ${plainWords(holderInWords(course, seat))}`, input);
  });
  const send = (form) => {
    const split = [0, 1].map((place) => form.elements[`share${place}`].value.trim());
    if (!split.every((share) => /^[0-9]{1,7}$/.test(share))) {
      return sitting.refuse(new Answer("bad-split", "Say both shares in whole numbers."));
    }
    const terms = { offer: "settlement", split: split.map(Number) };
    sitting.ask({
      title: "Offer this settlement?",
      words: ["You offer ", termsInWords(course, terms), "."],
      ...{ yes: "Sign the offer", draft: { type: "offer.made", data: terms }, form },
    });
  };
  return filledIn("settlement", "Offer to settle …", send, { off: busy }, fields);
}

function resigning(sitting) {
  const { course, mine } = sitting.following;
  if (!course.roster.isSeat(mine) || lastMoment(course).result) return null;
  const winner = holderInWords(course, course.roster.opposite(mine));
  const ask = () =>
    sitting.ask({
      title: "Resign the game?",
      words: ["The game goes to ", winner, ". This cannot be undone."],
      ...{ yes: "Sign: I resign", draft: { type: "resigned", data: {} } },
    });
  return pressed("resign", "Resign …", ask, { off: sitting.busy, kind: "grave" });
}
