/* Results, and what rulings and the decisions of appeals do, in words. */

import { inside, listOf, quoted } from "./elements.mjs";
import { diceInWords } from "./told.mjs";

const PENALTY_WORDS = new Map([
  ["warning", "a warning"],
  ["points_off", "points off"],
  ["points_to_opponent", "points for the opponent"],
  ["game_lost", "loss of the game"],
  ["fine", "a fine"],
  ["rounds_off", "left out of coming rounds"],
  ["expulsion", "expulsion"],
]);

export function listed(parts) {
  return parts.flatMap((part, place) => (place ? [", ", part] : [part]));
}

function reasonOf(how) {
  if (how === undefined) return [];
  return [" (", quoted(typeof how === "string" ? how.replaceAll("_", " ") : how), ")"];
}

/** "a win for Alba (swedes) (goal)". */
export function resultInWords(told, kind, winner, how) {
  const why = reasonOf(how);
  const side = winner === undefined ? [] : [" for ", told.who(winner)];
  if (kind === "win") return ["a win", side, why];
  if (kind === "draw") return ["a draw", why];
  if (kind === "forfeit") return ["a win by forfeit", side, why];
  if (kind === "double_forfeit") return ["forfeited by both", why];
  if (kind === "annulled") return ["annulled", why];
  return [quoted(kind), side, why];
}

/** "Alba (swedes) wins (goal)". */
export function resultSentence(told, kind, winner, how) {
  const why = reasonOf(how);
  if (kind === "win") return [told.who(winner), " wins", why];
  if (kind === "draw") return ["the game is a draw", why];
  if (kind === "forfeit") return [told.who(winner), " wins by forfeit", why];
  if (kind === "double_forfeit") return ["both forfeit the game", why];
  if (kind === "annulled") return ["the game is annulled", why];
  return [quoted(kind), why];
}

function effectInWords(told, effect) {
  const value = (name) => inside(effect, name);
  switch (value("effect")) {
    case "dismiss":
      return ["the complaint is dismissed"];
    case "rewind": {
      const dice = { keep: ", the dice are kept", rethrow: ", the dice are thrown anew" };
      return ["the game stands as after event ", quoted(value("to")), inside(dice, value("dice"))];
    }
    case "position":
      return ["the position is ", quoted(value("position"))];
    case "penalty":
      return [
        PENALTY_WORDS.get(value("penalty")) ?? quoted(value("penalty")),
        " for ",
        told.who(value("seat")),
      ];
    case "withdraw":
      return ["the penalty of event ", quoted(value("ruling")), " is withdrawn"];
    case "result":
      return ["the result is ", resultInWords(told, value("kind"), value("winner"))];
    case "award":
      return ["roll ", quoted(value("roll")), " counts as ", diceInWords(value("dice"))];
    case "contributors":
      return [
        "roll ",
        quoted(value("roll")),
        " is dead, the next are made by ",
        listed(listOf(value("contributors")).map((role) => told.who(role))),
      ];
    default:
      return ["an effect that this page does not know: ", quoted(effect, 200)];
  }
}

export function rulingInWords(told) {
  const effects = listOf(told.data("effects")).map((effect) => effectInWords(told, effect));
  return [listed(effects), ": ", told.say("reason"), " [", told.say("rule"), "]"];
}
