/* Words of the hall: where a match stands, how it ended, what o'clock it was. Everything that
   somebody else wrote is quoted. */

import { element, inGroups, inside, plainWords, quoted } from "../../page/face/elements.mjs";

const LONGEST_NAME = 60;
const SHORTEST_ID = 12;

const STANDING = new Map([
  ["before-acceptance", "before the start"],
  ["in-play", "in play"],
  ["disputed", "disputed"],
  ["adjourned", "adjourned"],
  ["ended", "game over"],
  ["closed", "closed"],
  ["appealed", "appealed"],
]);

/** Where a match stands, in a word or two. */
export function standingInWords(phase) {
  return STANDING.get(phase) ?? String(phase);
}

/** The same at the beginning of a line. */
export function standingAtFirst(phase) {
  const words = standingInWords(phase);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A key's fingerprint as the join sheet and the phones show it. */
export function keyInGroups(keyid) {
  const [kind, letters] = String(keyid).split(":");
  return [`${kind}:`, inGroups(letters ?? "")];
}

export function nameOf(name) {
  return quoted(name, LONGEST_NAME);
}

/** "Alba – Bruno", from names in the order of the seats. */
export function pairing(names) {
  return names.flatMap((name, place) => [place ? " – " : "", nameOf(name)]);
}

/** "Table 4"; a match without a table goes by the first digits of its id. */
export function tableInWords(about, match) {
  const table = inside(about, "table");
  return table ? ["Table ", quoted(table, LONGEST_NAME)] : ["Match ", match.slice(0, SHORTEST_ID)];
}

/** "Alba wins (resigned)"; `null` where nothing has been decided. Each kind stays distinct. */
export function resultInWords(result, nameOfSeat) {
  if (!result) return null;
  const how = ` (${String(result.how).replaceAll("_", " ")})`;
  const winner = result.winner ? nameOf(nameOfSeat(result.winner)) : "";
  switch (result.kind) {
    case "win":
      return [winner, " wins", how];
    case "forfeit":
      return [winner, " wins by forfeit", how];
    case "draw":
      return ["A draw", how];
    case "double_forfeit":
      return ["Both lose", how];
    default:
      return ["Annulled", how];
  }
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

/** "12:03" on this device's clock; of another day with the date before. */
export function oclock(moment, today = new Date()) {
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  if (moment.toDateString() === today.toDateString()) return time;
  const month = twoDigits(moment.getMonth() + 1);
  return `${moment.getFullYear()}-${month}-${twoDigits(moment.getDate())} ${time}`;
}

/** "since 12:03", of a time as the server writes it; nothing where it is none. */
export function sinceInWords(written) {
  const moment = new Date(written);
  if (Number.isNaN(moment.getTime())) return null;
  return ["since ", element("time", { datetime: moment.toISOString() }, oclock(moment))];
}

/** Puts words into a place, unless they stand there: what has not changed is not read out again. */
export function put(place, ...parts) {
  const words = element("span", {}, parts);
  if (place.textContent === plainWords(words)) return;
  place.replaceChildren(words);
}
