/* What the desk asks of the server, and shows each time that the arbiter came in. Whatever writes
   says in a header that it is this page. */

import { Unanswered, refusalOf } from "../phone/asking.mjs";
import { keepPass, passKept } from "./deskpass.mjs";

const PATIENCE = 20_000;

/** Comes in by the token of the link: from then on the pass is there. */
export async function comeIn(token) {
  keepPass((await written("/desk/api/enter", { token })).session);
}

/** Who signs here: `{arbiter, readonly}`. */
export function sessionHere() {
  return read("/desk/api/session");
}

/** What the desk has to know of a match beside what everybody sees. */
export function factsOf(match) {
  return read(`/desk/api/matches/${match}`);
}

/** Tables that wait for phones. */
export async function tablesSetOut() {
  return (await read("/desk/api/tables")).tables;
}

/** Takes one of them away; those that are left. */
export async function withdrawTable(table) {
  return (await written("/desk/api/withdraw", { table })).tables;
}

/** A position that was typed, in the one spelling that is signed. */
export async function positionSpelled(match, text) {
  const asked = new URLSearchParams({ text });
  return (await read(`/desk/api/matches/${match}/position?${asked}`)).position;
}

/** What would become of acts `{match, expect, drafts}`: nothing is written. */
export function rehearse(acts) {
  return written("/desk/api/rehearse", acts);
}

/** Signs and stores acts, all or none. Gives the match as it stands then. */
export function signActs(acts) {
  return written("/desk/api/sign", acts);
}

function read(path) {
  return answered(path, { signal: AbortSignal.timeout(PATIENCE) }, {});
}

/** Without a limit of time: what is signed slowly is signed all the same. */
function written(path, given) {
  const headers = { "Content-Type": "application/json", "Tabellion-Desk": "1" };
  return answered(path, { method: "POST", body: JSON.stringify(given) }, headers);
}

async function answered(path, request, headers) {
  const pass = passKept();
  const shown = pass ? { Authorization: `Bearer ${pass}` } : {};
  const asked = { ...request, headers: { ...headers, ...shown }, credentials: "omit" };
  let response;
  try {
    response = await fetch(path, { ...asked, cache: "no-store" });
    if (response.ok) return await response.json();
  } catch {
    throw new Unanswered();
  }
  throw await refusalOf(response);
}
