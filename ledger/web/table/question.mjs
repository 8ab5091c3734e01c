/* The question before a signature. What is asked is fixed when it is shown, with the event that the
   person saw last: when the match goes on meanwhile the question is withdrawn, not answered. */

import { element } from "../../page/face/elements.mjs";
import { pressed } from "./controls.mjs";

const WITHDRAWN = "The match has gone on since you were asked: nothing was signed. Look again.";

/** `words` are what will be signed, in full; `yes` stands on the button. `form` is emptied once it
    is signed. Instead of a `draft` there may be `sign`, for what names itself what it agrees to:
    `task` signs it whatever came between, as long as it `fits`. */
export function questionOf(following, { title, words, yes, draft, sign = null, form = null }) {
  return { title, words, yes, draft, sign, form, head: following.head };
}

/** Withdraws a question that the match has left behind. */
export function withdrawOld(sitting) {
  const { question, following } = sitting;
  if (!question || question.head === following.head || sitting.busy) return;
  if (question.sign?.fits()) return;
  sitting.question = null;
  sitting.refusal = null;
  sitting.say(WITHDRAWN);
  Object.assign(sitting, { notice: WITHDRAWN, noticed: [following.head] });
}

export function questionShown(sitting) {
  const { question, busy } = sitting;
  if (!question) return null;
  return element(
    "section",
    {
      class: "question",
      "data-key": `question-${question.head}`,
      "aria-labelledby": "question-title",
    },
    element("h2", { id: "question-title", tabindex: "-1" }, question.title),
    element("p", {}, question.words),
    element("div", { class: "row" }, [
      pressed("sign", question.yes, () => sitting.sign(), { off: busy, kind: "main" }),
      pressed("back", "Back", () => sitting.putQuestion(null), { off: busy }),
    ]),
  );
}
