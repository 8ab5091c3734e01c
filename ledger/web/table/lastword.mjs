/* What somebody has just done beside the game, for as long as nobody has gone on: the board of a
   ruling is another one, and players have to read why. */

import { element } from "../../page/face/elements.mjs";
import { toldEvent } from "./sayings.mjs";

const DONE_BY_PHONES = ["dice.committed", "roll.confirmed"];
const BESIDE_THE_GAME = [
  ...["ruling", "appeal.decided", "roll.voided", "dispute.settled"],
  ...["offer.accepted", "offer.declined", "adjourned", "resumed", "note"],
  ...["key.replaced", "arbiter.replaced", "signature.refused"],
];

export function lastWord({ following, report }) {
  const { events } = following.course;
  const last = events.findLastIndex(({ type }) => !DONE_BY_PHONES.includes(type));
  if (!BESIDE_THE_GAME.includes(events[last]?.type)) return null;
  return element("p", { class: "lastword", "data-key": `word-${last}` }, toldEvent(report, last));
}
