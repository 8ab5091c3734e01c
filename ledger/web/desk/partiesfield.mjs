/* What players without a key offer, answer, claim and give up, written down by the arbiter. */

import { element, plainWords, quoted } from "../../page/face/elements.mjs";
import { filledIn, folded, pressed } from "../table/controls.mjs";
import { choiceField, lineField, numberIn, pointAt, typedIn } from "./formfields.mjs";
import { scribedSeats, seatInWords } from "./proposal.mjs";

function otherSeat(show, seat) {
  return show.seats.find((each) => each.seat !== seat).seat;
}

/** Offers that stand: each is answered by its own hash. */
export function offersStanding(sitting) {
  const { show, busy } = sitting;
  const scribed = scribedSeats(show);
  return show.offers.map(({ hash, seq, seat, text }) => {
    const answers = otherSeat(show, seat);
    const answer = (type, title, yes) => () =>
      sitting.propose({ title, yes, drafts: [{ type, data: { offer: hash }, for: answers }] });
    const buttons = scribed.includes(answers)
      ? [
          pressed(
            `agree-${hash}`,
            ["Agree for ", seatInWords(show, answers), " …"],
            answer("offer.accepted", "Agree to this offer", "Sign that they agree"),
            { off: busy },
          ),
          pressed(
            `decline-${hash}`,
            ["Decline for ", seatInWords(show, answers), " …"],
            answer("offer.declined", "Decline this offer", "Sign that they decline"),
            { off: busy },
          ),
        ]
      : [];
    return element(
      "div",
      { class: "offer", "data-key": `offer-${hash}` },
      element("p", {}, `Event ${seq}: `, seatInWords(show, seat), " offers ", quoted(text), "."),
      element("div", { class: "row" }, buttons),
    );
  });
}

function seatField(show, key) {
  const pairs = scribedSeats(show).map((seat) => [seat, plainWords(seatInWords(show, seat))]);
  return choiceField(`${key}-seat`, "seat", "For", pairs);
}

/** What a player without a key may do beside the board. */
export function doneForPlayers(sitting) {
  const { show, hand, busy } = sitting;
  if (!scribedSeats(show).length || ["ended", "closed", "appealed"].includes(show.phase))
    return null;
  const claims = hand.current && hand.moves.claim && hand.scribed.includes(show.turn);
  const claim = () =>
    sitting.propose({
      ...{ title: "Claim a draw for this player", yes: "Sign the claim" },
      drafts: [{ type: "draw.claimed", data: {}, for: show.turn }],
    });
  const resign = (form) =>
    sitting.propose({
      ...{ title: "Resign for this player", yes: "Sign the resignation", form },
      drafts: [{ type: "resigned", data: {}, for: typedIn(form, "seat") }],
    });
  return folded(
    "for-players",
    "Offers, claims, resignation of players without a key",
    claims
      ? element(
          "p",
          { "data-key": "claim-field" },
          quoted(hand.moves.claim),
          " ",
          pressed("claim", "Claim the draw …", claim, { off: busy }),
        )
      : null,
    offering(sitting),
    filledIn("resign-form", "Resign …", resign, { off: busy }, seatField(show, "resign")),
  );
}

function offering(sitting) {
  const { show, hand, busy } = sitting;
  const points = hand.current && hand.moves.points;
  const pairs = [
    ["draw", "a draw"],
    ["takeback", "a takeback"],
  ];
  if (points) pairs.push(["settlement", "a settlement"]);
  const send = (form) => {
    const terms = termsOf(sitting, form);
    if (terms === null) return undefined;
    const drafts = [{ type: "offer.made", data: terms, for: typedIn(form, "seat") }];
    return sitting.propose({
      title: "An offer of this player",
      yes: "Sign the offer",
      drafts,
      form,
    });
  };
  return filledIn(
    ...["offer-form", "Offer …", send, { off: busy }],
    seatField(show, "offer"),
    choiceField("offer-kind", "kind", "Offers", pairs),
    lineField(
      ...[sitting, "offer-event", "event"],
      "Of a takeback: the event taken back, and what followed",
      { numeric: true, longest: 9 },
    ),
    points
      ? lineField(
          sitting,
          "offer-split",
          "split",
          "Of a settlement: points of the first seat and of the second, like 20-16",
          { longest: 20 },
        )
      : null,
  );
}

/** What is offered; `null` where a field lacks something, which is said by it. */
function termsOf(sitting, form) {
  const kind = typedIn(form, "kind");
  if (kind === "draw") return { offer: "draw" };
  if (kind === "takeback") {
    const event = numberIn(form, "event");
    if (event === null || !sitting.facts.standing.includes(event)) {
      const what = "Name an act of the game that stands, by the number of its event.";
      return pointAt(sitting, "offer-event", what);
    }
    return { offer: "takeback", to: event - 1 };
  }
  const shares = /^([0-9]{1,6}) ?[-:,/ ] ?([0-9]{1,6})$/u.exec(typedIn(form, "split"));
  if (shares === null) {
    const what = "A division is written 20-16, the first seat's share first.";
    return pointAt(sitting, "offer-split", what);
  }
  return { offer: "settlement", split: [Number(shares[1]), Number(shares[2])] };
}
