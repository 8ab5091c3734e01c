/* What stands beside the play, in sentences: disputes, offers, duties left undone, penalties,
   appeals, signatures under the result. The words of people are quoted. */

import { quoted } from "../../page/face/elements.mjs";
import { nameOf } from "./spoken.mjs";

const OFFICIALS = new Map([
  ["arbiter", "the arbiter"],
  ["appeal", "who decides appeals"],
]);

/** How a command line answers an offer: nothing for whoever looks on. */
const ANSWERED_BY = /(?:agree [0-9a-f]+ or decline [0-9a-f]+|confirm --what void, or play on)\.$/;

/** Sentences, each a list of parts, the gravest first. */
export function officialsInWords(show) {
  const names = new Map(show.seats.map(({ seat, name }) => [seat, nameOf(name)]));
  const who = (role) => names.get(role) ?? OFFICIALS.get(role) ?? quoted(role);
  const stated = ({ seq, seat, text }) => [`Event ${seq}: `, who(seat), " states: ", quoted(text)];
  return [
    ...disputed(show.dispute, who, stated),
    ...show.appeals.flatMap((appeal) => [
      [
        `Event ${appeal.seq}: `,
        who(appeal.seat),
        ` appeals against event ${appeal.against}: `,
        quoted(appeal.text),
      ],
      ...appeal.statements.map(stated),
    ]),
    ...show.breaches.map(({ seq, text }) => [`Event ${seq}: `, quoted(text)]),
    ...show.penalties.map((penalty) => penalised(penalty)),
    ...show.remarks.map((remark) => [quoted(remark.replace(ANSWERED_BY, "an answer is awaited."))]),
    ...show.results.flatMap((result, place) =>
      signatures(result, place === show.results.length - 1, who),
    ),
  ];
}

function disputed(dispute, who, stated) {
  if (!dispute) return [];
  const words = [" disputes event ", String(dispute.event), ": ", quoted(dispute.text)];
  return [
    [`⚑ Disputed. Event ${dispute.seq}: `, who(dispute.by), words],
    ...dispute.statements.map(stated),
    ...dispute.settled.map((seat) => [who(seat), " would settle it."]),
  ];
}

function penalised({ seq, name, text, count: number, withdrawn }) {
  const again = number > 1 ? ` (number ${number})` : "";
  const over = withdrawn === null ? "" : `, withdrawn by event ${withdrawn}`;
  return [`Event ${seq}: `, quoted(text), " for ", nameOf(name), again + over];
}

function signatures({ seq, signed, refused }, stands, who) {
  const given = signed.map((role) => [who(role), " has signed the result."]);
  const denied = Object.entries(refused).map(([seat, event]) => [
    who(seat),
    ` does not sign the result (event ${event}).`,
  ]);
  return stands ? [...given, ...denied] : [[`The result of event ${seq} does not stand any more.`]];
}
