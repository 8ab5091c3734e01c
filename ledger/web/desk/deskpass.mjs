/* What shows that the arbiter came in by the link. It is kept for this page's own origin, which is
   this very port: a cookie would go to every program of the machine that serves a page. Closing
   the window keeps it, stopping the server ends it. */

export const PASS_NAME = "tabellion-desk-pass";
const TOKEN_IN_ADDRESS = /^#token=([0-9a-f]{1,200})$/u;

/** For browsers that keep nothing for a page: then it is good until the page is left. */
const passHeld = { words: "" };

function unlessKeptBack(act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function keepPass(words) {
  passHeld.words = words;
  unlessKeptBack(() => localStorage.setItem(PASS_NAME, words));
}

/** The pass, "" where there is none; another window may have come in since. */
export function passKept() {
  return unlessKeptBack(() => localStorage.getItem(PASS_NAME)) ?? passHeld.words;
}

/** The token of the link, taken out of the address, which is that of `before` then; `null` where
    none is. It is behind the #: no browser sends it. */
export function tokenTaken(before = "") {
  const token = TOKEN_IN_ADDRESS.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(null, "", `/desk${before}`);
  return token;
}
