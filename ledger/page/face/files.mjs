/* What was dropped, before it is read as a record: for what cannot be one, a sentence that says
   what it is and what to do. */

const LARGEST_FILE = 256 * 1024 * 1024;

const BEGINNINGS = [
  [
    [0x50, 0x4b],
    "This is a .zip file. Unpack it first, then drop the file inside " +
      "whose name ends in .tabellion.json.",
  ],
  [[0x1f, 0x8b], "This file is packed (gzip). Unpack it first."],
  [
    [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65],
    "This is a ledger or another database, not a record. Export the match first.",
  ],
  [
    [0x25, 0x50, 0x44, 0x46],
    "This is a PDF. A score sheet on paper is not the record; ask for the exported match.",
  ],
  [[0x89, 0x50, 0x4e, 0x47], "This is a picture. Ask for the exported match."],
  [[0xff, 0xd8, 0xff], "This is a picture. Ask for the exported match."],
];

const RECORD_START = '{"events":[';
const MOST_FILE_LINES = 1_000_000;
const NO_RECORD =
  "This is no record of a match. A record is the file that the arbiter exports; its name ends " +
  "in .tabellion.json or, as a page, in .html.";

/** One file out of what was given; or a sentence why there is none. */
export function onlyFile(given) {
  if (given.length === 0) return "No file came with that. Drop a file, or choose one.";
  if (given.length > 1) return `These are ${given.length} files. Give one at a time.`;
  if (given[0].size > LARGEST_FILE)
    return "This file is too large: more than 256 MB is no record of a match.";
  return null;
}

function beginsWith(bytes, signs) {
  return signs.every((sign, place) => bytes[place] === sign);
}

/** The lines that begin like a record, each with its number in the file: an archive has many; and
how many others there are. A file of more lines than any archive has is not read further. */
export function recordLines(bytes) {
  const signs = [...RECORD_START].map((sign) => sign.charCodeAt(0));
  const records = [];
  let number = 1;
  for (let start = 0; start < bytes.length && number <= MOST_FILE_LINES; number += 1) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (bytes[start] === signs[0]) {
      const line = bytes.subarray(start, next);
      if (beginsWith(line, signs)) records.push({ number, line });
    }
    start = next;
  }
  return { records, others: number - 1 - records.length };
}

function beginsWithText(bytes, text) {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().toLowerCase();
  return start.startsWith(text);
}

/** A page has one record at most: two in it are a fault, and no choice. */
export function beginsLikePage(bytes) {
  return beginsWithText(bytes, "<!doctype html") || beginsWithText(bytes, "<html");
}

/** Why these bytes hold no record, in a sentence; `null` for what is to be verified. */
export function whyNoRecord(bytes) {
  if (!bytes.length) return "This file is empty.";
  const kind = BEGINNINGS.find(([signs]) => beginsWith(bytes, signs));
  if (kind) return kind[1];
  if (recordLines(bytes).records.length) return null;
  if (beginsLikePage(bytes)) {
    return "This is a page without a record inside.";
  }
  const text = new TextDecoder().decode(bytes.subarray(0, 1 << 20));
  return text.includes('{"payload":"') || text.includes('"format":"tabellion-record')
    ? null
    : NO_RECORD;
}
