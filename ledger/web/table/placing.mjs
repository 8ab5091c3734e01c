/* Where the places of a board lie on its drawing, read off the drawing itself, and which one comes
   next to which for the arrow keys. */

const POOL_HEIGHT = 8;

function boxOf(rect) {
  const value = (name) => Number(rect.getAttribute(name));
  return { x: value("x"), y: value("y"), width: value("width"), height: value("height") };
}

/** The places of a board in rows from top to bottom, each from left to right: `{place, box}`. Of
    the pools only those of one seat are places. */
export function placesOn(drawing, board, seat) {
  return board.kind === "grid" ? placesOfGrid(drawing, board) : placesOfTrack(drawing, board, seat);
}

function placesOfGrid(drawing, board) {
  const cells = [...drawing.querySelectorAll("rect.cell")];
  const names = [...board.places.keys()];
  return inRows(names.map((place, index) => ({ place, box: boxOf(cells[index]) })));
}

function placesOfTrack(drawing, board, seat) {
  const points = [...drawing.querySelectorAll("[data-point]")].map((point) => ({
    place: point.dataset.point,
    box: boxOf(point.querySelector("rect.point")),
  }));
  const { width } = drawing.viewBox.baseVal;
  const wide = (width - 4) / Math.max(board.pools.length, 1);
  const pools = [...drawing.querySelectorAll(`[data-pool][data-side="${seat}"]`)];
  const beside = pools.map((pool, index) => {
    const middle = Number([...pool.querySelectorAll("text")].at(-1).getAttribute("y"));
    const y = middle - POOL_HEIGHT / 2;
    return {
      place: pool.dataset.pool,
      box: { x: 2 + index * wide, y, width: wide, height: POOL_HEIGHT },
    };
  });
  return inRows([...points, ...beside]);
}

function inRows(places) {
  const rows = new Map();
  for (const each of places) rows.set(each.box.y, [...(rows.get(each.box.y) ?? []), each]);
  return [...rows]
    .sort(([one], [other]) => one - other)
    .map(([, row]) => row.sort((one, other) => one.box.x - other.box.x));
}

function middleOf({ box }) {
  return box.x + box.width / 2;
}

/** The place that a key leads to from another; the same where there is none in that direction. */
export function placeBeside(rows, from, key) {
  const y = Math.max(
    0,
    rows.findIndex((row) => row.some(({ place }) => place === from)),
  );
  const row = rows[y];
  const x = Math.max(
    0,
    row.findIndex(({ place }) => place === from),
  );
  const beside = (by) => row[x + by]?.place ?? from;
  const inRow = (by) => nearest(rows[y + by], row[x]) ?? from;
  switch (key) {
    case "ArrowLeft":
      return beside(-1);
    case "ArrowRight":
      return beside(1);
    case "ArrowUp":
      return inRow(-1);
    case "ArrowDown":
      return inRow(1);
    case "Home":
      return row[0].place;
    case "End":
      return row.at(-1).place;
    default:
      return null;
  }
}

function nearest(row, from) {
  const off = (each) => Math.abs(middleOf(each) - middleOf(from));
  return row?.reduce((best, each) => (off(each) < off(best) ? each : best)).place;
}

/** The place under a finger, or the nearest of those that can be chosen if that is within reach:
    squares of a large board are smaller than a finger. Lengths are those of the drawing. */
export function placeUnder(rows, point, choosable, reach) {
  const all = rows.flat();
  const off = ({ box }) =>
    Math.hypot(
      Math.max(box.x - point.x, 0, point.x - box.x - box.width),
      Math.max(box.y - point.y, 0, point.y - box.y - box.height),
    );
  const under = all.find((each) => off(each) === 0);
  if (under && choosable.has(under.place)) return under.place;
  const near = all
    .filter((each) => choosable.has(each.place) && off(each) <= reach)
    .sort((one, other) => off(one) - off(other));
  return near[0]?.place ?? under?.place ?? null;
}
