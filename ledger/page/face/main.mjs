/* The page comes to life: a record inside it is checked at once, one that is dropped or chosen
   takes its place. Nothing is ever sent anywhere. */

import { recordChoice } from "./archive.mjs";
import { element, quoted } from "./elements.mjs";
import { beginsLikePage, onlyFile, recordLines, whyNoRecord } from "./files.mjs";
import { eventInAddress, replay } from "./replay.mjs";
import { verify } from "../verifier/verify.mjs";
import { titleOf, verdictInWords } from "./verdictbox.mjs";
import { reportSections } from "./view.mjs";

const room = (name) => document.getElementById(name);
const page = { replay: null, turn: 0, title: document.title };

/** Said beside the file button. */
function say(...words) {
  room("status").replaceChildren(element("span", {}, words));
}

function clear() {
  page.replay?.pause();
  page.replay = null;
  delete document.documentElement.dataset.verdict;
  document.title = page.title;
  delete room("status").dataset.refused;
  room("report").replaceChildren();
}

function turnAway(words) {
  clear();
  room("choice").replaceChildren();
  room("welcome").hidden = false;
  say(words);
  room("status").dataset.refused = "";
}

/** Lets the browser show what stands there before a long piece of work. */
function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** What was given: one record is checked at once, of many the reader chooses one. */
async function take(bytes, named) {
  const turn = ++page.turn;
  const no = whyNoRecord(bytes);
  if (no) return turnAway(no);
  const found = recordLines(bytes);
  clear();
  room("choice").replaceChildren();
  if (beginsLikePage(bytes) || found.records.length < 2) return check(bytes, named);
  const choice = await recordChoice(found, ({ number, line }) => {
    check(line, [`line ${number} of `, named]);
  });
  if (turn !== page.turn) return undefined;
  room("welcome").hidden = true;
  room("choice").replaceChildren(choice);
  return say("Which match of ", named, "?");
}

async function check(bytes, named) {
  const turn = ++page.turn;
  clear();
  say("Checking ", named, " …");
  await painted();
  const report = await verify(bytes);
  return turn === page.turn ? show(report, named) : undefined;
}

function show(report, named) {
  room("welcome").hidden = true;
  if (report.events.length) page.replay = replay(report);
  room("report").append(...reportSections(report, page.replay?.section));
  page.replay?.show(page.replay.current);
  document.documentElement.dataset.verdict = report.verdict;
  document.title = titleOf(report);
  say("Checked: ", named, ". ", verdictInWords(report), ".");
  if (page.replay && eventInAddress(location.hash) !== null) {
    room("replay").scrollIntoView({ behavior: "instant" });
  }
}

async function receive(given) {
  const files = [...given];
  const no = onlyFile(files);
  const turn = ++page.turn;
  if (no) return turnAway(no);
  room("carried-record").hidden = true;
  room("carried-page").hidden = false;
  try {
    const bytes = new Uint8Array(await files[0].arrayBuffer());
    if (turn !== page.turn) return undefined;
    return await take(bytes, quoted(files[0].name));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return turnAway("This file cannot be read. A folder? Drop the one file.");
  }
}

function listen() {
  const file = room("file");
  file.addEventListener("change", () => {
    if (file.files.length) receive(file.files);
    file.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragged");
  });
  for (const ended of ["dragleave", "drop", "dragend"]) {
    document.addEventListener(ended, () => document.body.classList.remove("dragged"));
  }
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    receive(event.dataTransfer?.files ?? []);
  });
  document.addEventListener("keydown", (event) => page.replay?.key(event));
  document.addEventListener("click", follow);
  window.addEventListener("hashchange", () => {
    const number = eventInAddress(location.hash);
    if (number !== null) page.replay?.jump(number);
  });
}

/** A link to an event shows its board; the address follows without a new entry in the history. */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a[data-to]") : null;
  if (!link || !page.replay || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  page.replay.jump(Number(link.dataset.to));
  if (link.closest(".events")) return;
  const heading = room("replay");
  heading.scrollIntoView({ block: "start" });
  const board = heading.querySelector(".table") ?? heading.querySelector("button");
  board.focus({ preventScroll: true });
}

function begin() {
  listen();
  const carried = room("record").textContent;
  if (!carried.trim()) return;
  room("carried").hidden = false;
  take(new TextEncoder().encode(carried.replace(/^\n/u, "")), "the record inside this page");
}

begin();
