/* What events look like: the fields of every type, and the form of each value.

A check gives null, or words for what is wrong. A member that may be absent is never written as
null: that would be a second spelling. What an event means is judged elsewhere.
*/

import { refuse } from "./refusal.mjs";

const KNOWN_VERSION = 1;
const MOST_ROLLS = 2 ** 32 - 1;
const NO_SPACE_OUTSIDE = /^[^\s\ufeff](?:[\s\S]*[^\s\ufeff])?$/u;

const isHash = form(/^[0-9a-f]{64}$/, "is no hash");
const isSignature = form(/^[0-9a-f]{128}$/, "is no signature");
const isHalfHash = form(/^[0-9a-f]{32}$/, "is not 16 bytes");
const isRole = form(/^[a-z][a-z0-9_]{0,31}$/, "is no role");
const isKeyLine = form(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/, "is no key");
const isFileFormat = form(/^[a-z][a-z0-9-]{0,31}$/, "is no format");
const [isName, isLine, isLongText] = [80, 200, 4000].map(trimmed);
const [isNotation, isPlacing] = [200, 1000].map(filled);
const isNumber = whole(0, Number.MAX_SAFE_INTEGER);
const isRollNumber = whole(1, MOST_ROLLS);
const isPoints = whole(0, 1_000_000);
const isDice = list(whole(1, 6), 1, 8);
const isFlag = (value) => (typeof value === "boolean" ? null : "is neither true nor false");
const isOptionValue = (value) => (typeof value === "boolean" ? null : isName(value));

const nothing = fields({});
const answer = fields({ offer: isHash });
const officer = fields({ name: isName, key: isKeyLine });
const isResultKind = oneOf("win", "draw", "forfeit", "double_forfeit", "annulled");
const isPenalty = oneOf(
  ...["warning", "points_off", "points_to_opponent", "game_lost", "fine", "rounds_off"],
  "expulsion",
);

const effect = tagged("effect", {
  dismiss: fields({}),
  rewind: fields({ to: isNumber }, { dice: oneOf("keep", "rethrow") }),
  position: fields({ position: isPlacing }),
  penalty: fields({ seat: isRole, penalty: isPenalty }),
  withdraw: fields({ ruling: isNumber }),
  result: fields({ kind: isResultKind }, { winner: isRole }),
  award: fields({ roll: isRollNumber, dice: isDice }),
  contributors: fields({ roll: isRollNumber, contributors: list(isRole) }),
});
const effects = list(effect, 1, 8);

const opening = fields(
  {
    ruleset: fields({
      game: isRole,
      name: isName,
      version: whole(1, 1_000_000),
      options: eachMember(isOptionValue),
      document: isHash,
    }),
    seats: eachMember(fields({ name: isName }, { key: isKeyLine })),
    arbiter: officer,
    witnesses: list(officer),
    takebacks: isFlag,
    settlements: isFlag,
    sealed_move_unopened: oneOf("loses", "ruling"),
    nonce: isHalfHash,
  },
  {
    appeal: officer,
    dice: tagged("scheme", {
      "commit-reveal/1": fields({ contributors: list(isRole) }),
      "physical/1": fields({ confirm: isFlag }),
    }),
    turn_cap: whole(1, 100_000),
    opening_deadline: isLine,
    event: isLine,
    round: isLine,
    table: isLine,
    place: isLine,
    date: isLine,
    source: fields({ format: isFileFormat, sha256: isHash }),
  },
);

const DATA_SHAPES = new Map(
  Object.entries({
    "match.opened": opening,
    "seat.accepted": nothing,
    "dice.committed": fields({ roll: isRollNumber, commitment: isHash }),
    roll: fields({ roll: isRollNumber }, { nonce: isHash, next: isHash }),
    "roll.opened": fields({ roll: isRollNumber, nonce: isHash, next: isHash }),
    "roll.recorded": fields({ roll: isRollNumber, dice: isDice }),
    "roll.confirmed": fields({ confirms: isHash }),
    "roll.voided": fields({ roll: isRollNumber, reason: isLine }),
    move: fields({ move: isNotation }, { dice: isDice }),
    pull: fields({ pull: isNotation }),
    wager: nothing,
    pass: nothing,
    run: nothing,
    stop: nothing,
    diablo: nothing,
    done: nothing,
    call: fields({ call: isNotation }),
    "offer.made": tagged("offer", {
      draw: fields({}),
      takeback: fields({ to: isNumber }),
      settlement: fields({ split: list(isPoints, 2, 2) }),
    }),
    "offer.accepted": answer,
    "offer.declined": answer,
    "draw.claimed": nothing,
    resigned: nothing,
    "dispute.raised": fields({ event: isNumber, text: isLongText }),
    "dispute.settled": fields({ dispute: isHash }),
    statement: fields({ about: isHash, text: isLongText }, { sha256: isHash }),
    ruling: fields({ reason: isLongText, rule: isLine, effects }),
    appeal: fields({ against: isHash, text: isLongText }),
    "appeal.decided": fields({ appeal: isHash, reason: isLongText, rule: isLine, effects }),
    "key.replaced": fields(
      { role: isRole, name: isName, reason: isLongText },
      { key: isKeyLine, consent: isSignature },
    ),
    "arbiter.replaced": fields({ name: isName, key: isKeyLine, reason: isLongText }),
    adjourned: fields({}, { until: isLine, sealed: isHash }),
    resumed: fields({}, { opened: fields({ move: isNotation, nonce: isHash }) }),
    "match.closed": fields(
      { result: fields({ kind: isResultKind, how: isRole }, { winner: isRole }) },
      { ruling: isHash },
    ),
    countersigned: fields({ result_event: isHash }, { absent: isRole }),
    "signature.refused": fields({ result_event: isHash, seat: isRole, reason: isLine }),
    note: fields({ text: isLongText }, { sha256: isHash }),
  }),
);

/** Refuses a payload that is no event of a known type and form. */
export function checkShape(event) {
  if (!isObject(event)) refuse("form", "bad-event", "An event is an object.");
  if (Number.isInteger(event.v) && event.v > KNOWN_VERSION) {
    const what = `It is of version ${event.v}, which this page does not know.`;
    refuse("form", "future-version", what);
  }
  const data = DATA_SHAPES.get(event.type);
  if (!data) refuse("form", "unknown-type", "It is of a type that this page does not know.");
  const around = fields(
    {
      ...{ v: whole(1, KNOWN_VERSION), type: filled(40), data },
      ...{ seq: isNumber, by: isRole, at: isInstant },
    },
    { for: isRole, match: isHash, prev: isHash },
  );
  const wrong = around(event);
  if (wrong === WRITTEN_NULL) {
    refuse("form", "not-canonical", "A field that is absent must be left out, not null.");
  }
  if (wrong) refuse("form", "bad-event", `The event ${event.type} is not of its form: ${wrong}.`);
}

const WRITTEN_NULL = "an absent field is written as null";

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function form(pattern, wrong) {
  return (value) => (typeof value === "string" && pattern.test(value) ? null : wrong);
}

/** A text of so many characters (code points) at most, without space outside. */
function trimmed(most) {
  const tidy = form(NO_SPACE_OUTSIDE, "has space outside");
  return (value) => filled(most)(value) ?? tidy(value);
}

function filled(most) {
  return (value) => {
    if (typeof value !== "string" || !value) return "is no text";
    return value.length > most && [...value].length > most ? "is too long" : null;
  };
}

function whole(least, most) {
  return (value) =>
    Number.isSafeInteger(value) && value >= least && value <= most ? null : "is no such number";
}

function oneOf(...words) {
  return (value) => (words.includes(value) ? null : "is none of the words that may stand there");
}

function list(check, least = 0, most = Infinity) {
  return (value) => {
    if (!Array.isArray(value)) return "is no list";
    if (value.length < least || value.length > most) return "is a list of another length";
    return worst(value.map((each, index) => [String(index), check(each)]));
  };
}

function eachMember(check) {
  return (value) => {
    if (!isObject(value)) return "is no object";
    return worst(Object.entries(value).map(([key, each]) => [key, isRole(key) ?? check(each)]));
  };
}

/** An object with these members, and perhaps those. */
function fields(needed, optional = {}) {
  return (value) => {
    if (!isObject(value)) return "is no object";
    const stray = Object.keys(value).find(
      (key) => !Object.hasOwn(needed, key) && !Object.hasOwn(optional, key),
    );
    if (stray !== undefined) return `has a member ${stray.slice(0, 40)} that is not known`;
    const said = Object.entries(needed).map(([key, check]) => [
      key,
      key in value ? check(value[key]) : "is missing",
    ]);
    for (const [key, check] of Object.entries(optional)) {
      if (key in value) said.push([key, value[key] === null ? WRITTEN_NULL : check(value[key])]);
    }
    return worst(said);
  };
}

/** An object of one of several forms, told apart by the word in the member `tag`. */
function tagged(tag, forms) {
  const shapes = new Map(Object.entries(forms));
  return (value) => {
    if (!isObject(value)) return "is no object";
    const shape = shapes.get(value[tag]);
    if (!shape) return `has no known ${tag}`;
    const { [tag]: _, ...rest } = value;
    return shape(rest);
  };
}

/** What is wrong first; a null where a member is absent only if nothing else is. */
function worst(said) {
  const wrong = said.filter(([, words]) => words);
  const [key, words] = wrong.find(([, each]) => each !== WRITTEN_NULL) ?? wrong[0] ?? [];
  if (!words) return null;
  return words === WRITTEN_NULL ? WRITTEN_NULL : `${key} ${words}`;
}

/** RFC 3339, UTC, whole seconds, a day that there is. */
function isInstant(value) {
  const pattern = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;
  const [, year, month, day] = pattern.exec(typeof value === "string" ? value : "") ?? [];
  if (!year || year === "0000") return "is no time";
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return date.toJSON()?.startsWith(`${year}-${month}-${day}`) ? null : "is no day";
}
