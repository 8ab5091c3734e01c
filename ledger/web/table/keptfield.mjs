/* What this phone has signed and what is not in the match: on its way, overtaken, refused. None of
   it is thrown away: a player can show what was signed, and in which order. */

import { element, quoted } from "../../page/face/elements.mjs";
import { folded, pressed } from "./controls.mjs";
import { shortened } from "./sayings.mjs";

const SENT_BY_ITSELF =
  "Signed and kept on this phone; not with the server yet. It is sent again by itself:";
const KEPT =
  "The server has said that it does not store these. They stay on this phone: should one of them " +
  "turn up as a second act of yours, show them to the arbiter.";
const HELD =
  "Something came before it then, and now the match stands again as it did. Here this phone can " +
  "send that and sign nothing else. Send it, or ask the arbiter to write a note; then you can do " +
  "something else.";

function namedType({ type, data }) {
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
  return element("section", { class: "unsent", "data-key": "unsent", "aria-label": "On the way" }, [
    element("p", {}, SENT_BY_ITSELF),
    element("ul", {}, named),
  ]);
}

/** What did not go through, until it is dismissed. */
export function lapsedActs({ following, tried }) {
  return following.lapsed.map(({ hash, event, why }) =>
    element(
      "section",
      {
        ...{ class: "warning", "aria-label": "Did not go through" },
        ...{ "data-key": `lapsed-${hash}`, "data-code": why?.code },
      },
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

/** What was signed where the match stands now: there is no other act of this phone here. */
export function heldAct({ following, tried, busy }) {
  const { held, mine } = following;
  if (!held || mine === null) return null;
  const send = () => tried(() => following.sendHeld());
  const named = { class: "warning", "aria-label": "Signed before" };
  return element("section", { ...named, "data-key": `held-${held.hash}` }, [
    element("p", {}, element("strong", {}, "You have acted here before: "), namedType(held.event), [
      `. ${HELD}`,
    ]),
    pressed(`send-${held.hash}`, ["Send ", namedType(held.event)], send, { off: busy }),
  ]);
}

/** The acts that were refused, whole: as proof. */
export function refusedActs({ following }) {
  const { refused } = following;
  if (!refused.length) return null;
  const lines = refused.map(({ hash, event, envelope, why }) =>
    element("li", { "data-key": `refused-${hash}` }, [
      ...[`event ${event.seq}, `, namedType(event), ", ", element("code", {}, shortened(hash))],
      ...[": ", quoted(why?.message ?? "")],
      folded(`envelope-${hash}`, "As it was signed", element("code", {}, quoted(envelope))),
    ]),
  );
  const title = `Signed here and refused (${refused.length})`;
  return folded("refused", title, element("p", {}, KEPT), element("ul", {}, lines));
}
