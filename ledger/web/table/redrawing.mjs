/* Redrawing in place: what stays the same stays there, with its focus and with what somebody is
   typing into it. An element with a `data-key` is only ever the same one: a button for one offer
   never turns into the button for another under a finger. */

import { element } from "../../page/face/elements.mjs";

const HANDLERS = ["onclick", "onsubmit", "onchange", "oninput", "onkeydown", "ontoggle"];
const LEFT_TO_READERS = new Map([["DETAILS", "open"]]);

/** The children of `place` are these from now on. Focus that would be lost goes to `place`. */
export function redraw(place, ...children) {
  const held = place.contains(document.activeElement);
  reconcile(place, [...element("div", {}, children).childNodes]);
  if (held && !place.contains(document.activeElement)) place.focus({ preventScroll: true });
}

function keyOf(node) {
  return node.dataset?.key ?? null;
}

function reconcile(parent, wanted) {
  const there = [...parent.childNodes];
  const keys = new Set(wanted.map(keyOf).filter((key) => key !== null));
  let from = 0;
  const kept = wanted.map((fresh) => {
    const found = placeOfSame(there, from, fresh, keys);
    if (found < 0) return null;
    from = found + 1;
    return there[found];
  });
  for (const node of there) if (!kept.includes(node)) node.remove();
  let next = parent.firstChild;
  wanted.forEach((fresh, index) => {
    const old = kept[index];
    if (old === null) return parent.insertBefore(fresh, next);
    next = old.nextSibling;
    renew(old, fresh);
  });
}

/** Where the same node stands, from a place on; an element with a key that is wanted itself is not
    passed by one without. */
function placeOfSame(there, from, fresh, keys) {
  const key = keyOf(fresh);
  for (let place = from; place < there.length; place += 1) {
    const [node, its] = [there[place], keyOf(there[place])];
    if (node.nodeName === fresh.nodeName && its === key) return place;
    if (key === null && its !== null && keys.has(its)) return -1;
  }
  return -1;
}

/** Stands for the element with this key as it is there already. */
export function leftAsItIs(name, key) {
  const made = element(name, { "data-key": key });
  made.leftAsItIs = true;
  return made;
}

function renew(old, fresh) {
  if (fresh.leftAsItIs) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  const own = LEFT_TO_READERS.get(old.nodeName);
  for (const { name } of [...old.attributes]) {
    if (name !== own && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== own && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const name of HANDLERS) if (old[name] !== fresh[name]) old[name] = fresh[name];
  reconcile(old, [...fresh.childNodes]);
}
