/* The end: the result as the arbiter closed it, to be signed like a score sheet, with its hash. */

import { element, inGroups } from "../../page/face/elements.mjs";
import { signResult } from "../phone/acting.mjs";
import { pressed } from "./controls.mjs";
import { holderInWords, toldEvent } from "./sayings.mjs";

export function endField(sitting) {
  const { following, report, busy } = sitting;
  const { course } = following;
  if (!course?.sheet) return null;
  const { place, signed, refused } = course.sheet;
  const hash = course.hashes[place];
  const names = [...signed].flatMap((role, index) => [
    index ? ", " : "",
    holderInWords(course, role),
  ]);
  const fits = () => isToSign(following, hash);
  const sign = { task: () => signResult(following, hash), fits };
  const ask = () =>
    sitting.ask({
      title: "Countersign this result?",
      words: [toldEvent(report, place), " Hash of the event: ", inGroups(hash)],
      ...{ yes: "Countersign", sign },
    });
  return element(
    "section",
    { class: "end", "data-key": `end-${hash}`, "aria-labelledby": "end-title" },
    element("h2", { id: "end-title" }, "The result"),
    element("p", {}, element("strong", {}, toldEvent(report, place))),
    element("p", {}, "Its hash, for the score sheet: ", inGroups(hash)),
    element(
      "p",
      {},
      names.length ? ["Countersigned by ", names, "."] : "Nobody has countersigned yet.",
    ),
    refused.size ? element("p", {}, "It is on record that somebody would not sign.") : null,
    element("p", {}, [
      element(
        "a",
        { href: `/api/matches/${following.match}/record`, download: "" },
        "Keep the record of the match",
      ),
      ": with it anybody can check every event.",
    ]),
    fits() ? pressed(`countersign-${hash}`, "Countersign …", ask, { off: busy, kind: "main" }) : null,
  );
}

/** Whether this event gave the result that stands now, and this phone's seat has still to sign it. */
function isToSign({ course, mine }, hash) {
  const { sheet, hashes, roster } = course;
  return sheet && hashes[sheet.place] === hash && roster.isSeat(mine) && !sheet.signed.has(mine);
}
