/* The log at the desk: the latest first, each with its hash, and a way to take an act back. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { pressed } from "../table/controls.mjs";

const SHOWN_FIRST = 20;
const HASH_SHOWN = 12;

export function deskLog(sitting) {
  const { log } = sitting;
  if (!log.length) return null;
  const shown = (sitting.wholeLog ? log : log.slice(-SHOWN_FIRST)).toReversed();
  const more = () => {
    sitting.wholeLog = true;
    sitting.draw();
    sitting.focus("log-title");
  };
  return element(
    "section",
    { class: "logged", "data-key": "log", "aria-labelledby": "log-title" },
    element("h2", { id: "log-title", tabindex: "-1", "data-key": "log-title" }, "What happened"),
    element(
      "ol",
      { class: "log", reversed: true },
      shown.map((line) => lineInLog(sitting, line)),
    ),
    shown.length < log.length ? pressed("whole-log", `Show all ${log.length} events`, more) : null,
  );
}

function lineInLog(sitting, line) {
  const gone = line.superseded || line.void;
  const words = quoted(line.text);
  const who = line.for ? [quoted(line.by), " for ", quoted(line.for)] : quoted(line.by);
  return element(
    "li",
    { value: line.seq, "data-key": `event-${line.seq}`, "data-type": line.type },
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
    takingBack(sitting, line, gone),
  );
}

function takingBack(sitting, { seq }, gone) {
  if (gone || !sitting.writes || !sitting.facts.standing.includes(seq)) return null;
  const begin = () => {
    sitting.correcting = seq;
    sitting.draw();
    sitting.focus("correcting-title");
  };
  return pressed(`take-back-${seq}`, `Take back event ${seq} …`, begin, {
    off: sitting.busy,
    kind: "small",
  });
}
