/* An event in a short sentence, a teller for each type. Parts of a sentence are the page's own
   words and quotations of the record; of a damaged event any member may be missing or of another
   kind. */

import { inside, listOf, quoted } from "./elements.mjs";
import { listed, resultInWords, rulingInWords } from "./rulingwords.mjs";
import { Told, diceInWords, partyAt, seatsOf } from "./told.mjs";

function offerInWords(told) {
  const offer = told.data("offer");
  if (offer === "draw") return ["a draw"];
  if (offer === "takeback") return ["to go back to event ", told.say("to")];
  if (offer === "settlement") {
    const shares = listOf(told.data("split"));
    const seats = seatsOf(told.report);
    const named = shares.map((share, place) => [
      seats[place] === undefined ? "" : [told.who(seats[place]), " "],
      quoted(share),
    ]);
    return ["a settlement: ", listed(named)];
  }
  return [quoted(offer)];
}

function opened(told) {
  const named = Object.keys(told.data("seats") ?? {});
  const known = seatsOf(told.report).filter((seat) => named.includes(seat));
  const seats = (known.length ? known : named).flatMap((seat, place) => [
    place ? " – " : "",
    told.who(seat),
  ]);
  return [
    told.who("arbiter"),
    " opens a match of ",
    told.say("ruleset", "name"),
    ", version ",
    told.say("ruleset", "version"),
    ": ",
    seats,
  ];
}

function replaced(told) {
  const role = told.data("role");
  const before = partyAt(told.report, role, told.number);
  const same = before && before.name === told.data("name");
  const keyed = told.data("key") !== undefined;
  const other = before?.keyid === null ? "with a key" : "with another key";
  const how = keyed ? other : "without a key: the arbiter writes";
  const who = [told.say("name"), " (", quoted(role), ")"];
  const change = same ? [who, " goes on "] : [who, " takes the place of ", told.who(role), ", "];
  return [change, how, ". Reason: ", told.say("reason")];
}

function withFile(told) {
  const digest = told.data("sha256");
  return digest === undefined ? [] : [" (file with SHA-256 ", quoted(digest), ")"];
}

const acts =
  (...words) =>
  (told) => [told.actor(), ...words];
const actsWith =
  (words, ...path) =>
  (told) => [told.actor(), words, told.say(...path)];
const answers = (words) => (told) => [told.actor(), words, told.named("offer")];

const TELLERS = new Map([
  ["match.opened", opened],
  ["seat.accepted", acts(" accepts the match")],
  ["dice.committed", actsWith(" commits to a secret number for roll ", "roll")],
  ["roll", (told) => [told.actor(), " throws roll ", told.say("roll"), told.fell()]],
  ["roll.opened", (told) => [told.actor(), " opens roll ", told.say("roll"), told.fell()]],
  [
    "roll.recorded",
    (told) => [
      told.who(inside(told.event, "by")),
      " writes down roll ",
      told.say("roll"),
      ": ",
      diceInWords(told.data("dice")),
    ],
  ],
  ["roll.confirmed", (told) => [told.actor(), " confirms ", told.named("confirms")]],
  [
    "roll.voided",
    (told) => [told.actor(), " declares roll ", told.say("roll"), " void: ", told.say("reason")],
  ],
  ["move", actsWith(" moves ", "move")],
  ["pull", actsWith(" pulls ", "pull")],
  ["wager", acts(" wagers")],
  ["pass", acts(" passes")],
  ["run", acts(" declares a Run")],
  ["stop", acts(" stops the Run")],
  ["diablo", acts(" calls Diablo")],
  ["done", acts(" leaves the rest of the dice")],
  ["call", actsWith(" calls ", "call")],
  ["offer.made", (told) => [told.actor(), " offers ", offerInWords(told)]],
  ["offer.accepted", answers(" accepts the offer of ")],
  ["offer.declined", answers(" declines the offer of ")],
  ["draw.claimed", acts(" claims a draw")],
  ["resigned", acts(" resigns")],
  [
    "dispute.raised",
    (told) => [told.actor(), " disputes event ", told.say("event"), ": ", told.say("text")],
  ],
  [
    "dispute.settled",
    (told) => [told.actor(), " would settle the dispute of ", told.named("dispute")],
  ],
  [
    "statement",
    (told) => [
      told.actor(),
      " states about ",
      told.named("about"),
      ": ",
      told.say("text"),
      withFile(told),
    ],
  ],
  ["ruling", (told) => [told.actor(), " rules: ", rulingInWords(told)]],
  [
    "appeal",
    (told) => [told.actor(), " appeals against ", told.named("against"), ": ", told.say("text")],
  ],
  [
    "appeal.decided",
    (told) => [
      told.actor(),
      " decides the appeal of ",
      told.named("appeal"),
      ": ",
      rulingInWords(told),
    ],
  ],
  ["key.replaced", replaced],
  [
    "arbiter.replaced",
    (told) => [
      told.say("name"),
      " is the arbiter from here on, put in by ",
      told.actor(),
      ". Reason: ",
      told.say("reason"),
    ],
  ],
  [
    "adjourned",
    (told) => {
      if (told.data("sealed") !== undefined) return [told.actor(), " seals a move; the game rests"];
      const until = told.data("until");
      return [
        told.actor(),
        " adjourns the game",
        until === undefined ? [] : [" until ", quoted(until)],
      ];
    },
  ],
  [
    "resumed",
    (told) => {
      const move = told.data("opened", "move");
      const how = move === undefined ? [] : [" with the sealed move ", quoted(move)];
      return [told.actor(), " resumes the game", how];
    },
  ],
  [
    "match.closed",
    (told) => {
      const result = (name) => told.data("result", name);
      const by = told.data("ruling") === undefined ? [] : [", by ", told.named("ruling")];
      const words = resultInWords(told, result("kind"), result("winner"), result("how"));
      return [told.actor(), " closes the match: ", words, by];
    },
  ],
  [
    "countersigned",
    (told) => {
      const absent = told.data("absent");
      const instead = absent === undefined ? [] : [" instead of ", told.who(absent)];
      return [told.actor(), " countersigns the result of ", told.named("result_event"), instead];
    },
  ],
  [
    "signature.refused",
    (told) => [told.who(told.data("seat")), " does not sign the result: ", told.say("reason")],
  ],
  ["note", (told) => [told.actor(), " notes: ", told.say("text"), withFile(told)]],
]);

/** What an event says, in a short sentence: words and quotations. */
export function tell(report, number) {
  const event = report.events[number].event;
  if (event === null || typeof event !== "object") return ["This event cannot be read."];
  const teller = TELLERS.get(inside(event, "type"));
  if (!teller)
    return ["An event of a type that this page does not know: ", quoted(inside(event, "type"))];
  return teller(new Told(report, number));
}
