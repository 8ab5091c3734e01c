/* The places of the board under the finger and for the keyboard: a grid that lies over the drawing.
   A ring marks where a piece can go and corners mark what can be picked up; for readers each place
   says in words what stands there and what can be done. */

import { drawn } from "../../page/face/elements.mjs";
import { sideOf } from "../../page/face/boards.mjs";
import { placeBeside, placeUnder, placesOn } from "./placing.mjs";
import { holdsPiece, standingIn } from "./preview.mjs";

const FINGER = 22;

/** Whose and what stands in a place, in words. */
function whatStands(board, place, seat) {
  const letter = standingIn(board, place, seat);
  if (!letter) return "empty";
  const what = board.legend.get(letter) ?? letter;
  const many = board.kind === "track" ? stackInWords(board, place, seat) : "";
  const own = holdsPiece(board, place, seat) && sideOf(letter) !== "nobody" ? ", yours" : "";
  return `${many}${what}${own}`;
}

function stackInWords(board, place, seat) {
  const pool = board.pools.find(([name]) => name === place);
  const stack = pool ? pool[1][seat] : board.points[Number(place) - 1];
  return `${stack.count} `;
}

/** What a place is called: "e5", "point 5", "hand". */
export function placeInWords(board, place) {
  return board.kind === "track" && /^[0-9]+$/.test(place) ? `point ${place}` : place;
}

function markInWords(board, place) {
  const mark = board.marks?.get(place);
  return mark ? [board.legend.get(mark) ?? mark] : [];
}

function doneThere(place, picked, { free, targets }) {
  if (place === picked) return ["picked up"];
  if (targets.has(place)) return ["can move here"];
  return free.has(place) ? ["can be picked up"] : [];
}

function marksOn({ x, y, width, height }, place, picked, { free, targets }) {
  const [middle, centre] = [x + width / 2, y + height / 2];
  const inner = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 };
  if (place === picked) return drawn("rect", { ...inner, class: "picked" });
  if (targets.has(place)) {
    return drawn("circle", {
      cx: middle,
      cy: centre,
      r: Math.min(width, height) * 0.32,
      class: "target",
    });
  }
  if (!free.has(place)) return null;
  const reach = Math.min(width, height) * 0.24;
  const [right, low] = [x + width - 0.5, y + height - 0.5];
  const corners = [
    `M${x + 0.5} ${y + 0.5 + reach}v${-reach}h${reach}`,
    `M${right} ${low - reach}v${reach}h${-reach}`,
  ];
  return drawn("path", { d: corners.join(""), class: "free" });
}

/** The grid over a drawing. `cursor` is the place that the keyboard is at. */
export function placesOver(drawing, board, { seat, picked, choosable, cursor, choose, moveTo }) {
  const rows = placesOn(drawing, board, seat);
  const all = rows.flat().map(({ place }) => place);
  const at = all.includes(cursor)
    ? cursor
    : (all.find((each) => choosable.free.has(each)) ?? all[0]);
  const groups = rows.map((row) =>
    drawn(
      "g",
      { role: "row" },
      row.map((each) => placeShown(each, board, at, seat, picked, choosable)),
    ),
  );
  const made = drawn(
    "svg",
    {
      viewBox: drawing.getAttribute("viewBox"),
      class: "places",
      role: "grid",
      "aria-label": "Places of the board",
      "aria-describedby": "board-keys",
    },
    groups,
  );
  made.onclick = (event) => {
    const place = placeTouched(event, rows, choosable);
    if (place !== null) choose(place);
  };
  made.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const from = event.target.dataset?.place;
    if (from === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(from);
      return;
    }
    const to = placeBeside(rows, from, event.key);
    if (to === null) return;
    event.preventDefault();
    moveTo(to);
  };
  return made;
}

function placeShown({ place, box }, board, cursor, seat, picked, choosable) {
  const words = [
    placeInWords(board, place),
    whatStands(board, place, seat),
    ...markInWords(board, place),
    ...doneThere(place, picked, choosable),
  ];
  return drawn(
    "g",
    {
      role: "gridcell",
      "data-key": `place-${place}`,
      "data-place": place,
      tabindex: place === cursor ? "0" : "-1",
      "aria-label": words.join(", "),
      "aria-selected": place === picked ? "true" : null,
      "data-can": choosable.targets.has(place)
        ? "target"
        : choosable.free.has(place)
          ? "free"
          : null,
    },
    drawn("rect", { ...box, class: "place" }),
    marksOn(box, place, picked, choosable),
  );
}

/** A click that a reader or the keyboard makes has no point: it is on its place. In a low window
    the drawing is narrower than the element that it lies in. */
function placeTouched(event, rows, { free, targets }) {
  const own = event.target.closest?.("[data-place]")?.dataset.place ?? null;
  const onScreen = event.currentTarget.getScreenCTM();
  if (!event.detail || !onScreen?.a) return own;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(onScreen.inverse());
  const reach = Math.max(0, FINGER / onScreen.a - rows[0][0].box.width / 2);
  const choosable = new Set([...free, ...targets.keys()]);
  return placeUnder(rows, point, choosable, reach) ?? own;
}
