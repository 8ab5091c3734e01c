/* The log at the desk: the latest first, each with its hash, and a way to take an act back. What is
   older is folded away, and made only when it is asked for. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { foldedUntilAsked, pressed } from "../table/controls.mjs";

const SHOWN_FIRST = 10;
const HASH_SHOWN = 12;

export function deskLog(sitting) {
  const { log } = sitting;
  if (!log.length) return null;
  const older = log.slice(0, -SHOWN_FIRST);
  return element(
    "section",
    { class: "logged", "data-key": "log", "aria-labelledby": "log-title" },
    element("h2", { id: "log-title" }, "What happened"),
    linesOf(sitting, log.slice(-SHOWN_FIRST)),
    older.length
      ? foldedUntilAsked(sitting, "older", `Before that: ${older.length}`, () =>
          linesOf(sitting, older),
        )
      : null,
  );
}

function linesOf(sitting, lines) {
  return element(
    "ol",
    { class: "log", reversed: true },
    lines.toReversed().map((line) => lineInLog(sitting, line)),
  );
}

function lineInLog(sitting, line) {
  const gone = line.superseded || line.void;
  const words = quoted(line.text);
  const who = line.for ? [quoted(line.by), " for ", quoted(line.for)] : quoted(line.by);
  return element(
    "li",
    { value: line.seq, "data-key": `event-${line.seq}`, "data-type": line.type },
    takingBack(sitting, line, gone),
    gone ? [element("s", {}, words), line.void ? " (void)" : " (taken back)"] : words,
    line.breaches.map((text) => element("strong", {}, quoted(` (${text})`))),
    element(
      "span",
      { class: "faint" },
      " signed by ",
      who,
      ", ",
      inGroups(line.hash.slice(0, HASH_SHOWN)),
    ),
  );
}

function takingBack(sitting, { seq }, gone) {
  if (gone || !sitting.writes || !sitting.facts.standing.includes(seq)) return null;
  const begin = () => {
    sitting.correcting = seq;
    sitting.draw();
    sitting.focus("correcting-title");
  };
  const words = ["Take back", element("span", { class: "unseen" }, ` event ${seq}`), " …"];
  return pressed(`take-back-${seq}`, words, begin, { off: sitting.busy, kind: "link" });
}
