/* How things stand between phone and server, in words; and the red box, where what the server has
   sent does not hold: then this phone signs nothing any more. */

import { element, inGroups, quoted } from "../../page/face/elements.mjs";
import { adviceFor } from "./advice.mjs";
import { ended } from "./sayings.mjs";

const CALL = "Show this to the arbiter. This phone signs nothing in this match any more.";

/** The line at the top of the page. */
export function connectionInWords({ connection, unsent, fault }) {
  if (fault) return "Stopped: see below.";
  if (connection !== "live")
    return "No connection: waiting for the server. What you see may be old.";
  return unsent.length ? "Connected; something of yours is on its way." : "Connected: live.";
}

export function faultBox({ following }) {
  const { fault, doubt, trouble } = following;
  return [
    fault ? faultShown(fault) : null,
    doubt
      ? element(
          "div",
          { class: "fault", role: "alert", "data-key": "doubt", "data-code": doubt.code },
          element("p", {}, quoted(doubt.message)),
        )
      : null,
    trouble && !fault ? answerShown("trouble", trouble) : null,
  ];
}

function faultShown({ event, code, text }) {
  const where = event === null || event === undefined ? "" : ` Event ${event}.`;
  const named = { class: "fault", role: "alert", "data-key": "fault", "data-code": code };
  return element("div", named, [
    element("h2", {}, "What the server sent does not hold"),
    element("p", {}, withKeysInGroups(text), where),
    element("p", {}, element("strong", {}, CALL)),
  ]);
}

/** Keys in a sentence in groups of four, as everywhere else: they are compared by eye. */
function withKeysInGroups(text) {
  return text
    .split(/(?<=SHA256:)([A-Za-z0-9+/]{43})/)
    .map((part, place) => (place % 2 ? inGroups(part) : quoted(part)));
}

/** What a person is told when something did not go: a sentence, and what to do. The code is for
    programs. */
export function answerShown(key, answer) {
  const { code, message } = answer;
  const advice = adviceFor(answer);
  const named = { "data-key": `${key}-${code}`, "data-code": code };
  return element("div", { class: "refused", role: "alert", ...named }, [
    element("p", {}, element("strong", {}, ended(quoted(message)))),
    advice ? element("p", {}, quoted(advice)) : null,
  ]);
}
