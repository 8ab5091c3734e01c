/* A move made on the board, step by step, along the ways that the server lists: from each halt the
   steps that may follow, and the halts they lead to. The first halts are the legal actions, made. No
   rule of any game is known here. A step is `[from, to, { dice, word }]`. */

/** The steps that lead on from these halts: each with the halt there. */
function onward(ways, halts) {
  return halts.flatMap((halt) =>
    ways.after[halt].map(([number, there]) => {
      const { from, to, dice, word } = ways.steps[number];
      return { step: [from, to, { dice, word }], there };
    }),
  );
}

function haltsOf(leading) {
  return [...new Set(leading.map(({ there }) => there))];
}

/** Where one stands after these steps. There may be several halts: what follows tells them apart. */
function haltsAfter(ways, steps) {
  return steps.reduce(
    (halts, [from, to]) =>
      haltsOf(onward(ways, halts).filter(({ step }) => step[0] === from && step[1] === to)),
    [ways.start],
  );
}

/** The actions that these steps are, whole. */
export function finishedBy(actions, ways, steps) {
  if (!steps.length) return [];
  const made = haltsAfter(ways, steps).flatMap((halt) => actions.slice(halt, halt + 1));
  return made.map((action) => asMade(action, steps));
}

/** An action as it was made, in games where its text says in which order. */
function asMade(action, steps) {
  const words = steps.map(([, , { word }]) => word);
  if (!words.every((word) => word)) return action;
  const text = words.join(" ");
  const paths = steps.map(([from, to]) => [from, to]);
  return { ...action, text, typed: text, dice: steps.flatMap(([, , { dice }]) => dice), paths };
}

/** Whether more steps can follow. */
export function unfinishedBy(ways, steps) {
  return onward(ways, haltsAfter(ways, steps)).length > 0;
}

/** The places where something can be picked up now. */
export function pickable(ways, steps) {
  return new Set(onward(ways, haltsAfter(ways, steps)).map(({ step: [from] }) => from));
}

/** Where what stands in a place can go: the steps to each target, the fewest there are. A piece may
    go all its way at once, unless it matters where it stops. */
export function targetsFrom(ways, steps, from) {
  const found = new Map();
  let going = [{ place: from, way: [], halts: haltsAfter(ways, steps) }];
  while (going.length) {
    going = going.flatMap((each) => further(ways, each));
    const known = new Set(found.keys());
    for (const { place, way, halts } of going) {
      if (known.has(place)) continue;
      const before = found.get(place);
      if (!before) found.set(place, { way, halts });
      else if (!sameHalts(before.halts, halts)) before.way = null;
    }
  }
  return new Map([...found].filter(([, { way }]) => way).map(([place, { way }]) => [place, way]));
}

function further(ways, { place, way, halts }) {
  const leaving = onward(ways, halts).filter(({ step: [from] }) => from === place);
  const targets = new Map(leaving.map(({ step }) => [step[1], step]));
  return [...targets].map(([to, step]) => ({
    place: to,
    way: [...way, step],
    halts: haltsOf(leaving.filter((each) => each.step[1] === to)),
  }));
}

function sameHalts(some, others) {
  return some.length === others.length && some.every((halt) => others.includes(halt));
}

/** The dice that are left after these steps; null where the steps do not say what they use. */
export function diceLeft(steps, dice) {
  const left = [...dice];
  for (const die of steps.flatMap(([, , { dice: used }]) => used)) {
    if (left.includes(die)) left.splice(left.indexOf(die), 1);
  }
  return left.length < dice.length ? left : null;
}
