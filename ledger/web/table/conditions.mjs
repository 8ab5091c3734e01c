/* How things stand between phone and server, in words; and the red box, where what the server has
   sent does not hold: then this phone signs nothing any more. */

import { element, quoted } from "../../page/face/elements.mjs";

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
          { class: "fault", role: "alert", "data-key": "doubt" },
          element("p", {}, quoted(doubt.message)),
        )
      : null,
    trouble && !fault ? answerShown("trouble", trouble) : null,
  ];
}

function faultShown({ event, code, text }) {
  const where = event === null || event === undefined ? "" : ` Event ${event}.`;
  return element("div", { class: "fault", role: "alert", "data-key": "fault" }, [
    element("h2", {}, "What the server sent does not hold"),
    element("p", {}, quoted(text), where, " (", quoted(code), ")"),
    element("p", {}, element("strong", {}, CALL)),
  ]);
}

/** What a person is told when something did not go. */
export function answerShown(key, { code, message, hint }) {
  return element("div", { class: "refused", role: "alert", "data-key": `${key}-${code}` }, [
    element("p", {}, element("strong", {}, quoted(message)), " (", quoted(code), ")"),
    hint ? element("p", {}, quoted(hint)) : null,
  ]);
}
