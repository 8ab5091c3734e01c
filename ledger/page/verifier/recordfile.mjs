/* The file: a record, or a page with one in it, taken apart event by event.

Damage to one event leaves the others readable. What is found is a piece for each event (its bytes'
envelope, or what is wrong with it) and sentences about the file around them.
*/

import { asciiOf, bytesOf, textOf } from "./bytes.mjs";
import { readEnvelope } from "./envelope.mjs";
import { Refusal, refuse } from "./refusal.mjs";

const RECORD_HEAD = bytesOf('{"events":[');
const RECORD_FORMAT = bytesOf('],"format":"tabellion-record/1"');
const POSITIONS_HEAD = ',"positions":';
const EVENT_START = bytesOf('{"payload":"');
const EVENT_END = bytesOf('"}]}');
const BYTE_ORDER_MARK = bytesOf("\ufeff");
const WHITE_SPACE = [9, 10, 11, 12, 13, 32];
const PAGE_START = /^<(?:!doctype|html)[\t\n\v\f\r >]/i;
const MAX_FILE = 64 * 1024 * 1024;
const MAX_EVENTS = 10_000;
const LEAST_EVENT = 259; /* bytes of the shortest envelope: `{}` signed */
const LINE_END = 10;
const CARRIAGE_RETURN = 13;
const DAMAGED = new Refusal("form", "not-an-envelope", "This event is damaged and cannot be read.");

/** `{pieces: [envelope | Refusal], around: [sentence], positions: text | null}`. Refuses files that
are too large, and what does not look like a record anywhere. */
export function readRecordFile(bytes) {
  if (bytes.length > MAX_FILE) {
    refuse("file", "too-large", `This page reads no files of ${bytes.length} bytes.`);
  }
  const found = { pieces: [], around: [], positions: null };
  const record = isPage(bytes) ? recordInPage(bytes, found) : bytes;
  const start = startsWith(record, RECORD_HEAD) ? RECORD_HEAD.length : 0;
  if (!start) found.around.push("The beginning of the file is damaged.");
  const end = readTail(record, found);
  const places = placesOf(EVENT_START, record.subarray(0, end), start);
  if (!places.length && !start && end === record.length) {
    refuse("file", "not-a-record", "This is no record of Tabellion.");
  }
  if (places.length > MAX_EVENTS) {
    refuse("file", "too-large", `This page reads no records of ${places.length} events.`);
  }
  const first = (places[0] ?? end) - start;
  if (first >= LEAST_EVENT) found.pieces.push(DAMAGED);
  else if (first && start) found.around.push("The file is damaged before event 0.");
  places.forEach((place, index) => {
    const next = places[index + 1];
    const rest = readPiece(record.subarray(place, next ?? end), found);
    if (rest === null) return;
    const number = found.pieces.length;
    if (rest.length >= LEAST_EVENT) found.pieces.push(DAMAGED);
    else if (next === undefined ? rest.length && end < record.length : textOf(rest) !== ",") {
      found.around.push(`The file is damaged after event ${number - 1}.`);
    }
  });
  return found;
}

function isPage(bytes) {
  let place = startsWith(bytes, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  while (WHITE_SPACE.includes(bytes[place])) place += 1;
  return PAGE_START.test(asciiOf(bytes.subarray(place, place + 16)));
}

/** The record of an exported page: the one line that begins like a record. How the lines of a page
end can change on its way. */
function recordInPage(page, found) {
  const starts = placesOf(RECORD_HEAD, page, 0).filter((at) => !at || page[at - 1] === LINE_END);
  if (!starts.length) refuse("file", "not-a-record", "There is no record in this page.");
  if (starts.length > 1) found.around.push("More than one record is in this file.");
  const end = page.indexOf(LINE_END, starts[0]);
  const line = page.subarray(starts[0], end < 0 ? page.length : end + 1);
  if (end < 0 || page[end - 1] !== CARRIAGE_RETURN) return line;
  const whole = line.slice(0, -1);
  whole[whole.length - 1] = LINE_END;
  return whole;
}

/** Where the events end. What stands behind them is noted: the format, and positions if any. */
function readTail(record, found) {
  const end = lastPlaceOf(RECORD_FORMAT, record);
  const tail = end < 0 ? null : textOf(record.subarray(end + RECORD_FORMAT.length));
  if (tail?.startsWith(POSITIONS_HEAD) && tail.endsWith("}}\n")) {
    found.positions = tail.slice(POSITIONS_HEAD.length, -2);
  } else if (tail !== "}\n") {
    found.around.push("The end of the file is damaged, cut off, or of another format.");
  }
  return end < 0 ? record.length : end;
}

/** Reads the event at the beginning of `text`; gives what follows it, null if it has no end. */
function readPiece(text, found) {
  const end = placeOf(EVENT_END, text, 0);
  if (end < 0) {
    found.pieces.push(DAMAGED);
    return null;
  }
  try {
    found.pieces.push(readEnvelope(text.subarray(0, end + EVENT_END.length)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    found.pieces.push(error);
  }
  return text.subarray(end + EVENT_END.length);
}

function startsWith(bytes, sought, from = 0) {
  for (let index = 0; index < sought.length; index += 1) {
    if (bytes[from + index] !== sought[index]) return false;
  }
  return true;
}

/* Byte by byte: what a stranger sends may be made of beginnings. */
function placeOf(sought, bytes, from) {
  const last = bytes.length - sought.length;
  for (let place = from; place <= last; place += 1) {
    if (bytes[place] === sought[0] && startsWith(bytes, sought, place)) return place;
  }
  return -1;
}

function lastPlaceOf(sought, bytes) {
  for (let place = bytes.length - sought.length; place >= 0; place -= 1) {
    if (bytes[place] === sought[0] && startsWith(bytes, sought, place)) return place;
  }
  return -1;
}

function placesOf(sought, bytes, from) {
  const places = [];
  let place = placeOf(sought, bytes, from);
  for (; place >= 0; place = placeOf(sought, bytes, place + 1)) places.push(place);
  return places;
}
