/* Buttons and fields of the table. A button that cannot be used now keeps its focus and says so. */

import { element } from "../../page/face/elements.mjs";

/** `key` names the button for good: see `redrawing.mjs`. */
export function pressed(key, words, act, { off = false, kind = "" } = {}) {
  const made = element(
    "button",
    { type: "button", "data-key": key, class: kind || null, "aria-disabled": off ? "true" : null },
    words,
  );
  made.onclick = ({ currentTarget }) => {
    if (currentTarget.getAttribute("aria-disabled") !== "true") act(currentTarget);
  };
  return made;
}

/** A part of the page that opens when it is asked for. */
export function folded(key, title, ...children) {
  return element(
    "details",
    { "data-key": key },
    element("summary", {}, title),
    element("div", { class: "unfolded" }, children),
  );
}

/** The same; what is in it is made when it is opened first, and kept from then on. */
export function foldedUntilAsked(sitting, key, title, make) {
  const made = folded(key, title, sitting.unfolded.has(key) ? make() : null);
  made.ontoggle = ({ currentTarget }) => {
    if (!currentTarget.open || sitting.unfolded.has(key)) return;
    sitting.unfolded.add(key);
    sitting.draw();
  };
  return made;
}

/** A field with its label above. */
export function labelled(key, words, field) {
  field.id ||= `field-${key}`;
  return element(
    "p",
    { class: "labelled", "data-key": `${key}-field` },
    element("label", { for: field.id }, words),
    field,
  );
}

/** Something to fill in: `submit` is given the form. */
export function filledIn(key, words, submit, { off = false } = {}, ...children) {
  const sender = element(
    "button",
    { type: "submit", "aria-disabled": off ? "true" : null, "data-key": `${key}-send` },
    words,
  );
  const form = element("form", { "data-key": key, novalidate: true }, children, sender);
  form.onsubmit = (event) => {
    event.preventDefault();
    const send = event.currentTarget.querySelector("[type=submit]");
    if (send.getAttribute("aria-disabled") === "true") return;
    submit(event.currentTarget);
  };
  return form;
}

/** A choice from a list: pairs of value and words. What was chosen stays chosen when lines are
    added. */
export function chosenFrom(name, pairs) {
  const choices = pairs.map(([value, words]) =>
    element("option", { value, "data-key": `choice-${value}` }, words),
  );
  return element("select", { name, id: `field-${name}` }, choices);
}
