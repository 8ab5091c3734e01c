/* Events that a server sends while they happen (HTML, section 9.2), read by hand: EventSource
hides the comments that show that the line still lives, and the status of what is refused. */

import { Unanswered, refusalOf } from "./asking.mjs";

const LONGEST_SILENCE = 40_000;
const LONGEST_MESSAGE = 4 * 1024 * 1024;
const LINE_BREAK = /\r\n|\r(?!$)|\n/;

/** The messages of a stream, `{event, data}` each, until it breaks off or `signal` ends it.
`opened` is called when the server has answered, `heard` when anything came. Throws `Answer` or
`Unanswered`. */
export async function* listen(path, { signal, opened, heard }) {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  let silence = setTimeout(end, LONGEST_SILENCE);
  try {
    const headers = { Accept: "text/event-stream" };
    const asked = { headers, cache: "no-store", signal: ending.signal };
    const response = await unlessBroken(fetch(path, { ...asked, credentials: "same-origin" }));
    if (!response.ok) throw await refusalOf(response);
    opened();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const messages = new MessageReader();
    for (;;) {
      const { done, value } = await unlessBroken(reader.read());
      if (done) throw new Unanswered();
      heard();
      clearTimeout(silence);
      silence = setTimeout(end, LONGEST_SILENCE);
      yield* messages.take(value);
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", end);
    end();
  }
}

/** A line that breaks is no fault of the page. */
async function unlessBroken(promise) {
  try {
    return await promise;
  } catch {
    throw new Unanswered();
  }
}

/** Puts messages together from pieces that may end anywhere. */
class MessageReader {
  constructor() {
    this.rest = "";
    this.event = "";
    this.data = [];
  }

  *take(text) {
    const lines = (this.rest + text).split(LINE_BREAK);
    this.rest = lines.pop();
    if (this.rest.length > LONGEST_MESSAGE) throw new Unanswered();
    for (const line of lines) {
      if (line) this.#field(line);
      else {
        if (this.data.length) yield { event: this.event || "message", data: this.data.join("\n") };
        Object.assign(this, { event: "", data: [] });
      }
    }
  }

  #field(line) {
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (name === "event") this.event = value;
    else if (name === "data") this.data.push(value);
  }
}
