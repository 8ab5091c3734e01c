/* What a person is told when something did not go: a code for programs, a sentence, what to do.

It comes from the server, from the phone itself, or from the verifier.
*/

import { Refusal } from "../../page/verifier/refusal.mjs";

/** `status` is that of HTTP; 0 where no server said it. */
export class Answer extends Error {
  constructor(code, message, { hint = "", status = 0 } = {}) {
    super(message);
    Object.assign(this, { code, hint, status });
  }
}

/** What the phone's own checks refuse, in the form of an answer. Anything else goes on as it is. */
export function answering(error) {
  if (error instanceof Refusal) return new Answer(error.code, error.message);
  return error;
}

/** As it can be stored and shown: `{code, message, hint, status}`. */
export function saidBy({ code, message, hint, status }) {
  return { code, message, hint, status };
}
