/* Canonical JSON (RFC 8785) in the profile of the events; design, section 2.

The reader takes any JSON, so that it can say what is wrong with one that is not in the profile:
what it read must be the same bytes when it is written again. Objects have no prototype, so that a
key is a key and nothing else. Characters that Unicode 14 did not know yet are not looked for: that
needs its tables. The audit looks for them.
*/

import { textOf } from "./bytes.mjs";
import { quotedShort, refuse } from "./refusal.mjs";

const MAX_PAYLOAD = 60 * 1024;
const MAX_NESTING = 32;
const NUMBER_TOKEN = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const FOUR_HEX = /[0-9a-fA-F]{4}/y;
const LAWFUL_KEY = /^[a-z][a-z0-9_]*$/;
const FORBIDDEN_CHARACTER = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;
const SIMPLE_ESCAPES = {
  ...{ '"': '"', "\\": "\\", "/": "/" },
  ...{ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};
const LITERALS = [["true", true], ["false", false], ["null", null]];

/** The value of a payload in its one spelling. Refuses every other. */
export function readCanonical(bytes) {
  if (bytes.length > MAX_PAYLOAD) {
    refuse("form", "too-large", `The event has ${bytes.length} bytes; 60 KiB are the most.`);
  }
  const text = textOf(bytes);
  if (text === null) refuse("form", "not-json", "The event is not text in UTF-8.");
  const value = readJson(text);
  if (writeCanonical(value) !== text) {
    refuse("form", "not-canonical", "The event is not in the one spelling that JSON has here.");
  }
  return value;
}

/** Any JSON within the profile's values, in whatever spelling. Refuses the first value outside. */
export function readJson(text) {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  reader.space();
  if (reader.place < text.length) reader.broken();
  if (reader.outside) refuse("form", ...reader.outside);
  return value;
}

/** The one spelling of a value that `readJson` gave. */
export function writeCanonical(value) {
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `"${key}":${writeCanonical(value[key])}`).join(",")}}`;
}

class JsonReader {
  constructor(text) {
    this.text = text;
    this.place = 0;
    this.outside = null;
  }

  broken() {
    refuse("form", "not-json", `The event is no JSON: it breaks at character ${this.place}.`);
  }

  /** Notes the first value outside the profile; what follows may still be no JSON at all. */
  leaves(code, sentence) {
    this.outside ??= [code, sentence];
  }

  space() {
    while (" \t\n\r".includes(this.text[this.place] || "-")) this.place += 1;
  }

  takes(token) {
    if (!this.text.startsWith(token, this.place)) return false;
    this.place += token.length;
    return true;
  }

  matches(pattern) {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text);
    if (found) this.place += found[0].length;
    return found;
  }

  value(depth) {
    this.space();
    const first = this.text[this.place];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (depth >= MAX_NESTING) refuse("form", "too-deep", "The event is nested too deeply.");
      return first === "{" ? this.object(depth + 1) : this.array(depth + 1);
    }
    for (const [word, meant] of LITERALS) if (this.takes(word)) return meant;
    return this.number();
  }

  number() {
    const found = this.matches(NUMBER_TOKEN);
    if (!found) this.broken();
    const [token, fraction, exponent] = found;
    if (fraction || exponent) this.leaves("float", "A number is no whole number.");
    else if (!Number.isSafeInteger(Number(token))) {
      this.leaves("too-large-integer", "A number is beyond what every program can hold.");
    }
    return Number(token) || 0;
  }

  string() {
    this.place += 1;
    let text = "";
    for (;;) {
      text += this.matches(PLAIN_CHARACTERS)[0];
      if (this.takes('"')) break;
      if (!this.takes("\\")) this.broken();
      text += this.escape();
    }
    if (!text.isWellFormed()) this.broken();
    return text;
  }

  escape() {
    const letter = this.text[this.place];
    this.place += 1;
    if (letter !== "u") return SIMPLE_ESCAPES[letter] ?? this.broken();
    const found = this.matches(FOUR_HEX);
    return found ? String.fromCharCode(Number.parseInt(found[0], 16)) : this.broken();
  }

  words() {
    const text = this.string();
    if (FORBIDDEN_CHARACTER.test(text)) {
      this.leaves("forbidden-character", "A text has a control or a direction character.");
    } else if (text.normalize("NFC") !== text) {
      this.leaves("not-nfc", "A text has letters and accents apart (it is not in form NFC).");
    }
    return text;
  }

  array(depth) {
    this.place += 1;
    const found = [];
    this.space();
    if (this.takes("]")) return found;
    do found.push(this.member(depth));
    while (this.takes(","));
    return this.takes("]") ? found : this.broken();
  }

  /** A value and the space after it. */
  member(depth) {
    this.space();
    const value = this.text[this.place] === '"' ? this.words() : this.value(depth);
    this.space();
    return value;
  }

  object(depth) {
    this.place += 1;
    const found = Object.create(null);
    this.space();
    if (this.takes("}")) return found;
    do {
      this.space();
      if (this.text[this.place] !== '"') this.broken();
      const key = this.string();
      if (!LAWFUL_KEY.test(key)) {
        this.leaves("bad-key", `The key ${quotedShort(key)} is not made of a-z, 0-9 and _.`);
      }
      this.space();
      if (!this.takes(":")) this.broken();
      found[key] = this.member(depth);
    } while (this.takes(","));
    return this.takes("}") ? found : this.broken();
  }
}
