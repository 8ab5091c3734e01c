/* What to do next, for people with a phone in their hand. The server's hints are for whoever sits
   before a command line; where a phone has something better to say it is said here, by the code. */

const ASK_FOR_ANOTHER = "Compare it with the join sheet, or ask the arbiter for another code.";
const ARBITER_RESUMES = "Wait until the arbiter resumes the game.";
const ARBITER_CLOSES = "The arbiter closes the match; then both sign the result.";
const THEY_ACCEPT = "It goes on when everybody has accepted the match.";
const BY_ITSELF = "The phones do that by themselves: theirs must be awake, with this page open.";
const NEW_KEY = "Ask the arbiter to give this phone your seat.";
const ARBITER_RULES = "Wait for the arbiter's ruling, or end the dispute by agreement.";
const ASK_THE_ARBITER = "Ask the arbiter: a ruling can do it.";

const ADVICE = new Map(
  Object.entries({
    adjourned: ARBITER_RESUMES,
    "bad-code": ASK_FOR_ANOTHER,
    "bad-signature": NEW_KEY,
    "computed-dice": "Press Throw when it is your turn.",
    disputed: ARBITER_RULES,
    "game-over": ARBITER_CLOSES,
    "ledger-altered": "Tell the arbiter. What you have signed is kept on this phone.",
    "match-closed": "Sign the result below, or appeal where that was agreed.",
    "match-damaged": "Tell the arbiter. What you have signed is kept on this phone.",
    "no-commitment": ASK_THE_ARBITER,
    "no-match": "Ask the arbiter for the right link or code.",
    "no-role": NEW_KEY,
    "no-settlements": "Wait for the arbiter's ruling.",
    "no-such-code": ASK_FOR_ANOTHER,
    "no-takebacks": "If it was a slip of the finger, ask the arbiter: a ruling can go back.",
    "not-accepted": THEY_ACCEPT,
    "not-closed": ARBITER_CLOSES,
    "not-committed": BY_ITSELF,
    "nothing-at-issue": "Say it to the arbiter.",
    "read-only": "Ask the arbiter: this server was started so that nobody can write.",
    "roll-in-flight": BY_ITSELF,
    "too-many": "Wait a moment, then do it again.",
    unanswered: "Look whether this phone is in the hall's network; then do it again.",
    unconfirmed: "The dice wait for the word of the other side.",
    "wrong-host": "Open the page by the link of the join sheet.",
    "wrong-signer": NEW_KEY,
  }),
);

/** What is to be done about an answer, as a sentence; "" where there is nothing. */
export function adviceFor({ code, hint }) {
  return ADVICE.get(code) ?? asSentence(hint);
}

function asSentence(words) {
  if (!words) return "";
  const begun = words[0].toUpperCase() + words.slice(1);
  return /[.!?…]$/u.test(begun) ? begun : `${begun}.`;
}
