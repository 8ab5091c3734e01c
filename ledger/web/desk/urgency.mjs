/* What the arbiter looks at first: rulings, openings that do not come, appeals, results. */

const OVERDUE_AFTER = 60_000;
const MINUTE = 60_000;

/** The groups of the hall in the order in which they are shown. */
export const GROUPS = [
  ["rule", "⚑ To be ruled on"],
  ["overdue", "▲ Openings overdue"],
  ["appealed", "⚑ Appeals"],
  ["results", "✎ Results outstanding"],
  ["rest", "The other matches"],
  ["over", "Closed"],
];

/** How many whole minutes a match has waited; 0 where that is not known. */
export function minutesWaited({ since }, now) {
  const moment = new Date(since).getTime();
  return Number.isNaN(moment) ? 0 : Math.max(0, Math.floor((now - moment) / MINUTE));
}

/** The group of a match, as the hall tells of it. */
export function groupOf(line, now) {
  const { step, whose } = line.due;
  if (line.phase === "disputed" || step === "rule") return "rule";
  if (step === "open" && now - new Date(line.since).getTime() > OVERDUE_AFTER) return "overdue";
  if (line.phase === "appealed" || step === "decide") return "appealed";
  if (step === "close" || (step === "countersign" && whose.length)) return "results";
  return line.phase === "closed" ? "over" : "rest";
}

/** "awaited for 3 minutes", of what is overdue; "" else. */
export function waitInWords(line, now) {
  if (groupOf(line, now) !== "overdue") return "";
  const minutes = minutesWaited(line, now);
  return `awaited for ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}
