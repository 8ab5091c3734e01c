/* The events in their order, in groups, each a sentence that leads to its board. The list is one
   stop of the Tab key: arrows go through it (roving tabindex, as the ARIA practices have it). */

import { element, inside, linkTo, quoted } from "./elements.mjs";
import { remarksOn, stateOfEvent } from "./remarks.mjs";
import { groupsOf, sheetRows } from "./sheetnumbers.mjs";
import { tell } from "./telling.mjs";

const LONGEST_LIST = 10000;

const DICE_TYPES = new Set([
  "dice.committed",
  "roll",
  "roll.opened",
  "roll.recorded",
  "roll.confirmed",
  "roll.voided",
]);
const OFFICIAL_TYPES = new Set([
  "ruling",
  "dispute.raised",
  "dispute.settled",
  "statement",
  "appeal",
  "appeal.decided",
  "key.replaced",
  "arbiter.replaced",
  "adjourned",
  "resumed",
  "note",
  "roll.voided",
  "signature.refused",
]);

const CHOICES = [
  ["all", "All events"],
  ["play", "Without the making of dice"],
  ["official", "Rulings, disputes, notes"],
];

function typeOf(item) {
  return inside(item.event, "type");
}

function rowInWords(row) {
  if (row === undefined) return "";
  return row.answer ? `${row.row}… ` : `${row.row}. `;
}

function lineOf(report, rows, item) {
  const type = typeOf(item);
  const shows = DICE_TYPES.has(type) ? "dice" : OFFICIAL_TYPES.has(type) ? "official" : "play";
  const link = linkTo(item.number, [
    rowInWords(rows.get(item.number)),
    shortened(tell(report, item.number)),
  ]);
  link.setAttribute("tabindex", "-1");
  return element(
    "li",
    {
      id: `e${item.number}`,
      "data-state": stateOfEvent(report, item),
      "data-type": type,
      "data-shows": shows,
    },
    element("span", { class: "number" }, `${item.number}`),
    link,
    remarksOn(report, item).flatMap((remark, place) => [place ? "; " : " ", remark]),
  );
}

/** Long texts are whole beside the board; here their beginning is enough. */
function shortened(parts) {
  return parts
    .flat(9)
    .map((part) =>
      part?.text?.length > 160 ? quoted(`${part.text.slice(0, 150).toWellFormed()}…`) : part,
    );
}

function chooser(report, list) {
  const pick = (choice) => () => {
    list.dataset.shown = choice;
  };
  const diced = report.events.some((item) => DICE_TYPES.has(typeOf(item)));
  const offered = CHOICES.filter(([choice]) => diced || choice !== "play");
  const choices = offered.map(([choice, words]) => {
    const button = element("input", { type: "radio", name: "shown", checked: choice === "all" });
    button.addEventListener("change", pick(choice));
    return element("label", {}, button, ` ${words}`);
  });
  return element("fieldset", { class: "chooser" }, element("legend", {}, "Show"), choices);
}

function columns(rows) {
  const said = rows.size ? "Row of the score sheet, and what was done" : "What was done";
  return element(
    "p",
    { class: "columns" },
    element("span", { class: "number" }, "Event"),
    element("span", {}, said),
  );
}

/** The list, what marks the event whose board is shown, and what goes from line to line. */
export function eventList(report) {
  const rows = sheetRows(report);
  const list = element("div", { class: "events", "data-shown": "all" });
  for (const [place, group] of groupsOf(report, rows, LONGEST_LIST).entries()) {
    const name = `group-${place}`;
    list.append(
      element("h4", { id: name }, group.name),
      element(
        "ol",
        { "aria-labelledby": name, role: "list" },
        group.items.map((item) => lineOf(report, rows, item)),
      ),
    );
  }
  if (report.events.length > LONGEST_LIST) {
    const left = report.events.length - LONGEST_LIST;
    list.append(element("p", {}, `${left} more events are checked, but not listed here.`));
  }
  const listing = { chooser: chooser(report, list), columns: columns(rows), list };
  return { ...listing, ...goingThrough(list) };
}

function goingThrough(list) {
  let current = null;
  const linkIn = (line) => line?.querySelector("a[data-to]");
  const mark = (number) => {
    const focused = list.contains(document.activeElement);
    current?.removeAttribute("data-current");
    linkIn(current)?.removeAttribute("aria-current");
    linkIn(current)?.setAttribute("tabindex", "-1");
    current = list.querySelector(`#e${number}`);
    current?.setAttribute("data-current", "");
    linkIn(current)?.setAttribute("aria-current", "step");
    linkIn(current)?.setAttribute("tabindex", "0");
    if (current) bringIntoList(list, current);
    if (focused) linkIn(current)?.focus({ preventScroll: true });
  };
  /** The event of the next line, up or down, that the choice of events leaves in sight. */
  const beside = (step) => {
    const lines = [...list.querySelectorAll("li")].filter((line) => line.offsetParent !== null);
    const line = lines[lines.indexOf(current) + step];
    return line && lines.includes(current) ? Number(linkIn(line).dataset.to) : null;
  };
  return { mark, beside };
}

/** Moves the list alone, never the page under the reader's eyes. */
function bringIntoList(list, line) {
  const [outer, inner] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  const heading = line.closest("ol")?.previousElementSibling?.offsetHeight ?? 0;
  if (inner.top < outer.top + heading || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}
