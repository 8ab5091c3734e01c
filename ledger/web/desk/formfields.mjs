/* Fields of the desk's forms, and what was typed into them, as it can stand in an event. */

import { element } from "../../page/face/elements.mjs";
import { chosenFrom, labelled } from "../table/controls.mjs";

/** What was typed: one line, no space outside, in the spelling of Unicode that is signed. */
export function typedIn(form, name) {
  const field = form.elements[name];
  return field ? field.value.replaceAll(/\s+/gu, " ").trim().normalize("NFC") : "";
}

/** A whole number that was typed; `null` where it is none. */
export function numberIn(form, name) {
  const text = typedIn(form, name);
  return /^[0-9]{1,9}$/u.test(text) ? Number(text) : null;
}

/** Dice as people write them: 3-5-2, 3 5 2, 352. `null` where they are none. */
export function diceIn(form, name) {
  const text = typedIn(form, name).replaceAll(/[\u2010-\u2014\u2212]/gu, "-");
  if (!/^[1-6]([-, ]?[1-6]){0,7}$/u.test(text)) return null;
  return [...text].filter((sign) => sign >= "1" && sign <= "6").map(Number);
}

/** A line to type into. `key` is unique on the page, `name` in its form. What `sitting` finds
    lacking in it stands below it; `needed`: nothing is sent while it is empty. */
export function lineField(sitting, key, name, words, form = {}) {
  const { value = "", longest = 200, numeric = false, needed = false } = form;
  const field = element("input", {
    ...{ name, id: `field-${key}`, maxlength: longest, autocomplete: "off", value: value || null },
    inputmode: numeric ? "numeric" : null,
  });
  return typedField(sitting, key, words, field, needed);
}

/** Several lines to type into; they are signed as one. */
export function textField(sitting, key, name, words, { needed = false } = {}) {
  const field = element("textarea", { name, id: `field-${key}`, maxlength: 4000, rows: 3 });
  return typedField(sitting, key, words, field, needed);
}

function typedField(sitting, key, words, field, needed) {
  const lack = sitting.lacking.get(key);
  if (needed) field.setAttribute("aria-required", "true");
  const made = labelled(key, needed ? [words, " (needed)"] : words, field);
  if (lack === undefined) return made;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", `lack-${key}`);
  field.oninput = () => {
    sitting.lacking.delete(key);
    sitting.draw();
  };
  made.append(element("span", { class: "lack", id: `lack-${key}` }, lack));
  return made;
}

/** Points at a field in which something else has to stand. Gives `null`: nothing is sent. */
export function pointAt(sitting, key, sentence) {
  sitting.lack(new Map([[key, sentence]]));
  return null;
}

/** Whether every field that is needed is filled in; if not, points at those that are empty. */
export function isComplete(sitting, form) {
  const empty = [...form.querySelectorAll("[aria-required]")].filter(
    ({ name }) => !typedIn(form, name),
  );
  const keys = empty.map(({ id }) => id.slice("field-".length));
  if (empty.length) sitting.lack(new Map(keys.map((key) => [key, "This is needed."])));
  return empty.length === 0;
}

/** A choice; `pairs` are of value and words. */
export function choiceField(key, name, words, pairs, chosen = null) {
  const field = chosenFrom(name, pairs);
  field.id = `field-${key}`;
  for (const option of field.options) {
    if (option.value === chosen) option.setAttribute("selected", "");
  }
  return labelled(key, words, field);
}
