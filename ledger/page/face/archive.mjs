/* A file of many records, one a line: the reader says which one is to be checked. What is shown of
   each before that is only what its opening says of itself. */

import { hexOf, sha256 } from "../verifier/bytes.mjs";
import { readCanonical } from "../verifier/canonical.mjs";
import { element, inside, visible } from "./elements.mjs";
import { preAuthentication, readEnvelope } from "../verifier/envelope.mjs";
import { gameOf } from "../verifier/games.mjs";
import { Refusal } from "../verifier/refusal.mjs";

const MOST_OFFERED = 1000;
const HEAD_OF_RECORD = 11;
const LONGEST_OPENING = 96 * 1024;
const SHOWN_DIGITS = 12;
const LONGEST_NAME = 40;

/** The bytes of the first event of a record. */
function openingIn(line) {
  const text = line.subarray(HEAD_OF_RECORD, HEAD_OF_RECORD + LONGEST_OPENING);
  const end = text.findIndex((_, at) => endsEvent(text, at));
  return end < 0 ? null : text.subarray(0, end + 4);
}

/** Whether `"}]}` stands here. */
function endsEvent(text, at) {
  return text[at] === 34 && text[at + 1] === 125 && text[at + 2] === 93 && text[at + 3] === 125;
}

/** Whoever reads the list must not take one name for two, nor have it turn the line round. */
function setApart(text) {
  return `\u2068${visible([...text].slice(0, LONGEST_NAME).join(""))}\u2069`;
}

/** "Alba – Bruno", the first seat of the game first; nothing of this was checked yet. */
function playersIn(data) {
  const seats = inside(data, "seats") ?? {};
  const game = gameOf({ ruleset: { game: inside(data, "ruleset", "game") } });
  const names = (game?.seats ?? Object.keys(seats)).map((seat) => inside(seats, seat, "name"));
  const said = names.filter((name) => typeof name === "string");
  return said.map(setApart).join(" – ");
}

async function labelOf({ number, line }) {
  try {
    const { payload } = readEnvelope(openingIn(line) ?? line.subarray(0, 0));
    const match = hexOf(await sha256(preAuthentication(payload))).slice(0, SHOWN_DIGITS);
    const data = inside(readCanonical(payload), "data");
    return `${number}: ${match}… ${playersIn(data)}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${number}: its first event cannot be read`;
  }
}

/** How many matches there are, and what else there is in the file. */
function countInWords(records, others) {
  const more = records.length > MOST_OFFERED;
  return [
    `This file holds ${records.length} matches. `,
    more ? `The first ${MOST_OFFERED} can be chosen here. ` : "",
    others ? `Lines that do not begin like a record, and are not offered: ${others}. ` : "",
    "Each match is checked by itself.",
  ];
}

/** A labelled choice among the records of an archive; `take` is given the one that was chosen. */
export async function recordChoice({ records, others }, take) {
  const offered = records.slice(0, MOST_OFFERED);
  const labels = await Promise.all(offered.map(labelOf));
  const select = element(
    "select",
    { id: "line" },
    labels.map((label, place) => element("option", { value: place }, label)),
  );
  const button = element("button", { type: "button" }, "Check this match");
  button.addEventListener("click", () => take(offered[Number(select.value)]));
  return element(
    "div",
    { class: "choice" },
    element("p", {}, countInWords(records, others)),
    element("label", { for: "line" }, "Line of the file and match id"),
    " ",
    select,
    " ",
    button,
  );
}
