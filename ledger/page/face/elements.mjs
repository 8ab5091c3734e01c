/* Elements of the page. What a record says reaches it as text alone, set apart from the words
   around it (<bdi>), with every character that cannot be seen spelled out: nothing in a record is
   markup, and no name can turn round or hide what stands beside it. */

const DRAWING_SPACE = "http://www.w3.org/2000/svg";
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const LONGEST_SHOWN = 5000;

/** Words that somebody else wrote: a name, a reason, a move. */
class Quotation {
  constructor(text) {
    this.text = text;
  }
}

/** A text with what is invisible in it made visible: ‹U+200B›. */
export function visible(text) {
  return text.replace(UNSEEN, (sign) => {
    const code = sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `‹U+${code}›`;
  });
}

/** Whatever stands in a payload, as a text: of a damaged event it may be anything. */
function wordsFor(value) {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "?";
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return "…";
  }
}

export function quoted(value, longest = LONGEST_SHOWN) {
  const text = wordsFor(value);
  if (text.length <= longest) return new Quotation(visible(text));
  return new Quotation(`${visible(text.slice(0, longest).toWellFormed())}…`);
}

/** A value inside nested objects, own members only; `undefined` where there is none. */
export function inside(value, ...path) {
  let found = value;
  for (const name of path) {
    if (typeof name === "object") return undefined;
    if (found === null || typeof found !== "object" || !Object.hasOwn(found, name))
      return undefined;
    found = found[name];
  }
  return found;
}

export function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** The same parts as one text, for what is spoken or drawn. */
export function plainWords(parts) {
  return [parts]
    .flat(9)
    .map((part) => (part instanceof Quotation ? part.text : (part?.textContent ?? part ?? "")))
    .join("");
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(9)) {
    if (child === null || child === undefined) continue;
    made.append(child instanceof Quotation ? isolated(child) : child);
  }
  return made;
}

function isolated(quotation) {
  const made = document.createElement("bdi");
  made.textContent = quotation.text;
  return made;
}

/** An element of HTML around texts, quotations and elements. */
export function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of a drawing. There is no <bdi> in one: give it plain words. */
export function drawn(name, attributes, ...children) {
  return fill(document.createElementNS(DRAWING_SPACE, name), attributes, children);
}

/** A hash in groups of four, to be read aloud. */
export function inGroups(digits) {
  return element(
    "code",
    { class: "groups" },
    wordsFor(digits)
      .match(/.{1,4}/gu)
      ?.flatMap((group) => [element("span", {}, group), " "]) ?? [],
  );
}

/** "events 3, 5 and 10"; "event 3". */
export function eventsInWords(numbers) {
  if (numbers.length === 1) return `event ${numbers[0]}`;
  return `events ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

export function linkTo(number, words = `event ${number}`) {
  return element("a", { href: `#e${number}`, "data-to": number }, words);
}
