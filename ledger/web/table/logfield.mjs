/* The signed events, the last first, and what this phone has signed and was refused. */

import { element } from "../../page/face/elements.mjs";
import { foldedUntilAsked, pressed } from "./controls.mjs";
import { refusedActs } from "./keptfield.mjs";
import { shortened, toldEvent } from "./sayings.mjs";

const SHOWN = 40;

function lineOf({ following, report }, number) {
  const { hash, event } = following.events[number];
  const own = event?.by === following.mine;
  const state = report.superseded.has(number) ? " (taken back)" : "";
  return element(
    "li",
    { "data-key": `event-${number}`, class: own ? "own" : null, value: number },
    [
      toldEvent(report, number),
      state,
      element(
        "span",
        { class: "hash" },
        own ? " signed by you: " : " ",
        element("code", {}, shortened(hash ?? "")),
      ),
    ],
  );
}

export function logField(sitting) {
  const { events } = sitting.following;
  const numbers = [...events.keys()].reverse().slice(0, sitting.wholeLog ? events.length : SHOWN);
  const more = events.length > numbers.length;
  return foldedUntilAsked(sitting, "log", `All signed events (${events.length})`, () => [
    element(
      "ol",
      { class: "log", reversed: true },
      numbers.map((number) => lineOf(sitting, number)),
    ),
    more ? pressed("more", "Show all", () => sitting.showWholeLog()) : null,
    refusedActs(sitting),
  ]);
}
