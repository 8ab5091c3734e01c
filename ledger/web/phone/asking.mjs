/* Asking the server, and what its answers mean. Nothing that it says is believed here.

A request without an answer is not a refusal: whoever asked does not know what became of it.
*/

import { Answer } from "./answer.mjs";

const LONGEST_WAIT = 20_000;
const LONGEST_ASKED_FOR = 60_000;
const ASKED_AGAIN = [408, 425, 429];
const NAMES_A_COMMAND = /\btabellion [-a-z]|(?:^|\s)--[a-z]/;
const LOOK_AGAIN = "Look at the match; do it again if it still fits.";

/** No answer came, or one that says to come back: nothing is known. `after` is in milliseconds. */
export class Unanswered extends Error {
  constructor(after = 0, status = 0) {
    super("The server did not answer.");
    Object.assign(this, { after, status });
  }
}

/** The JSON at an address of the API. Throws `Answer` or `Unanswered`. */
export function askFor(path) {
  return ask(path, { cache: "no-store" });
}

/** Posts a text of JSON. Throws `Answer` or `Unanswered`. */
export function send(path, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body });
}

async function ask(path, request) {
  let response;
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT);
    response = await fetch(path, { ...request, signal, credentials: "same-origin" });
    if (response.ok) return await response.json();
  } catch {
    throw new Unanswered();
  }
  throw await refusalOf(response);
}

/** What a response says that is no success. */
export async function refusalOf(response) {
  const { status } = response;
  const asked = Number(response.headers.get("Retry-After")) * 1000 || 0;
  const again = Math.min(asked, LONGEST_ASKED_FOR);
  if (status >= 500 || ASKED_AGAIN.includes(status)) return new Unanswered(again, status);
  let said = null;
  try {
    said = (await response.json()).error;
  } catch {
    said = null;
  }
  const code = wordsIn(said?.code) || `http-${status}`;
  const message = wordsIn(said?.message) || `The server answered with the status ${status}.`;
  return new Answer(code, message, { hint: hintIn(said, status), status });
}

/** A command is a hint for whoever sits before a command line, and nobody here does. */
function hintIn(said, status) {
  const hint = wordsIn(said?.hint);
  if (!NAMES_A_COMMAND.test(hint)) return hint;
  return status === 409 ? LOOK_AGAIN : "";
}

function wordsIn(value) {
  return typeof value === "string" ? value : "";
}
