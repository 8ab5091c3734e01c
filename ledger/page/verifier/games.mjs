/* All that this page knows of the games: their seats, and what of their dice can be seen without
their rules. A game that does not stand here is checked but for its dice. */

const GAMES = new Map([
  ["tablut", { seats: ["swedes", "muscovites"], dice: 0 }],
  ["tabula", { seats: ["white", "black"], dice: 3, winnerOfOpeningPlays: true }],
  ["tablero", { seats: ["south", "north"], dice: 2, endsRun: [7, 11, 12] }],
]);

/** Of a game: its first and second seat, how many `dice` a throw has, whether whoever wins the
opening throw is then to play, and the sums that end a Run (Pass Numbers); null for a game that
this page does not know. */
export function gameOf(opening) {
  return GAMES.get(opening.ruleset.game) ?? null;
}

/** Who is to play in a position that was set, where its text says so without the rules: the last
word is "W" for the first seat. */
export function turnIn(game, text) {
  if (!game.winnerOfOpeningPlays || !isBegun(text)) return null;
  return game.seats[text.endsWith(" W") ? 0 : 1];
}

/** Whether it is decided who begins in a position that was set. */
export function isBegun(text) {
  return !["-", "opening"].includes(text.split(" ").at(-1));
}
