/* The signed events, the last first; what this phone has signed and is not in the match yet, and
   what did not go through. */

import { element, quoted } from "../../page/face/elements.mjs";
import { foldedUntilAsked, pressed } from "./controls.mjs";
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
  ]);
}

function namedType(event) {
  const { type, data } = event;
  const words = data.move ?? data.pull ?? data.call ?? data.text ?? data.offer ?? "";
  return [type.replaceAll(".", " "), words ? [" ", quoted(words, 60)] : ""];
}

/** Signed and on its way. */
export function onTheWay({ following }) {
  const { unsent } = following;
  if (!unsent.length) return null;
  const named = unsent.map(({ event, hash }) =>
    element("li", { "data-key": `unsent-${hash}` }, [
      namedType(event),
      " ",
      element("code", {}, shortened(hash)),
    ]),
  );
  const words =
    "Signed and kept on this phone; not with the server yet. It is sent again by itself:";
  return element("section", { class: "unsent", "data-key": "unsent", "aria-label": "On the way" }, [
    element("p", {}, words),
    element("ul", {}, named),
  ]);
}

/** What did not go through, until it is dismissed. */
export function lapsedActs({ following, tried }) {
  return following.lapsed.map(({ hash, event, why }) =>
    element(
      "section",
      { class: "warning", "data-key": `lapsed-${hash}`, "aria-label": "Did not go through" },
      [
        element("p", {}, element("strong", {}, "Did not go through: "), namedType(event), ". ", [
          quoted(why?.message ?? ""),
          " If it still fits, do it again.",
        ]),
        pressed(`dismiss-${hash}`, "Dismiss", () => tried(() => following.dismiss(hash))),
      ],
    ),
  );
}
