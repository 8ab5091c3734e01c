/* What the desk asks of the server. Whatever writes says in a header that it is this page. */

import { Unanswered, askFor, refusalOf } from "../phone/asking.mjs";

/** Who signs here: `{arbiter, readonly}`. */
export function sessionHere() {
  return askFor("/desk/api/session");
}

/** What the desk has to know of a match beside what everybody sees. */
export function factsOf(match) {
  return askFor(`/desk/api/matches/${match}`);
}

/** A position that was typed, in the one spelling that is signed. */
export async function positionSpelled(match, text) {
  const asked = new URLSearchParams({ text });
  return (await askFor(`/desk/api/matches/${match}/position?${asked}`)).position;
}

/** What would become of acts `{match, expect, drafts}`: nothing is written. */
export function rehearse(acts) {
  return written("/desk/api/rehearse", acts);
}

/** Signs and stores acts, all or none. Gives the match as it stands then. */
export function signActs(acts) {
  return written("/desk/api/sign", acts);
}

async function written(path, acts) {
  const headers = { "Content-Type": "application/json", "Tabellion-Desk": "1" };
  const body = JSON.stringify(acts);
  let response;
  try {
    response = await fetch(path, { method: "POST", headers, body, cache: "no-store" });
    if (response.ok) return await response.json();
  } catch {
    throw new Unanswered();
  }
  throw await refusalOf(response);
}
