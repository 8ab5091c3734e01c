/* The curve edwards25519, as much of it as judging a key takes (RFC 8032, section 5.1).

Verifiers of Ed25519 disagree on a few odd keys and signatures. Those are refused here before the
browser is asked, so that every reader comes to the same answer. Nothing here is secret, and nothing
takes the same time twice: no private key may ever come here.
*/

import { numberOf } from "./bytes.mjs";

const FIELD = 2n ** 255n - 19n;
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const Y_BITS = 2n ** 255n - 1n;
const CURVE_D = inField(-121665n * powerOf(121666n, FIELD - 2n));
const ROOT_OF_MINUS_ONE = powerOf(2n, (FIELD - 1n) / 4n);
const NEUTRAL = [0n, 1n, 1n, 0n];
const Y_OF_ORDER_EIGHT = yOfOrderEight();
const LOW_ORDER_YS = [0n, 1n, FIELD - 1n, Y_OF_ORDER_EIGHT, FIELD - Y_OF_ORDER_EIGHT];

function inField(number) {
  const rest = number % FIELD;
  return rest < 0n ? rest + FIELD : rest;
}

function powerOf(base, exponent) {
  let [result, square] = [1n, inField(base)];
  for (let bits = exponent; bits > 0n; bits >>= 1n) {
    if (bits & 1n) result = (result * square) % FIELD;
    square = (square * square) % FIELD;
  }
  return result;
}

/** A square root in the field, or null: the numbers are 5 modulo 8 (RFC 8032, section 5.1.3). */
function rootOf(number) {
  const candidate = powerOf(number, (FIELD + 3n) / 8n);
  for (const root of [candidate, inField(candidate * ROOT_OF_MINUS_ONE)]) {
    if (inField(root * root - number) === 0n) return root;
  }
  return null;
}

/** The y of the points of order eight. Doubled they have y = 0, so that x² = -y² in them and the
curve's equation is d·y⁴ + 2·y² - 1 = 0. */
function yOfOrderEight() {
  const inverse = powerOf(CURVE_D, FIELD - 2n);
  const root = rootOf(inField(1n + CURVE_D));
  const squares = [(root - 1n) * inverse, (-root - 1n) * inverse].map(inField);
  return rootOf(squares[0]) ?? rootOf(squares[1]);
}

/** The point of 32 bytes, or null where they are not the one encoding of a point. */
function pointOf(bytes) {
  const number = numberOf(bytes);
  const [y, sign] = [number & Y_BITS, number >> 255n];
  if (y >= FIELD) return null;
  const square = inField((y * y - 1n) * powerOf(CURVE_D * y * y + 1n, FIELD - 2n));
  const root = rootOf(square);
  if (root === null || (root === 0n && sign === 1n)) return null;
  const x = (root & 1n) === sign ? root : FIELD - root;
  return [x, y, 1n, inField(x * y)];
}

/** The sum of any two points, in the coordinates of RFC 8032, section 5.1.4. */
function sumOf([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const [a, b] = [inField((y1 - x1) * (y2 - x2)), inField((y1 + x1) * (y2 + x2))];
  const [c, d] = [inField(2n * CURVE_D * t1 * t2), inField(2n * z1 * z2)];
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [inField(e * f), inField(g * h), inField(f * g), inField(e * h)];
}

function timesPoint(scalar, point) {
  let [result, double] = [NEUTRAL, point];
  for (let bits = scalar; bits > 0n; bits >>= 1n) {
    if (bits & 1n) result = sumOf(result, double);
    double = sumOf(double, double);
  }
  return result;
}

function isNeutral([x, y, z]) {
  return x === 0n && y === z;
}

const weaknesses = new Map();

/** Why readers may disagree about a public key of 32 bytes, or null; looked at once. */
export function weaknessOf(bytes) {
  const number = numberOf(bytes);
  if (!weaknesses.has(number)) weaknesses.set(number, findWeakness(bytes));
  return weaknesses.get(number);
}

function findWeakness(bytes) {
  const point = pointOf(bytes);
  if (point === null) return "it is not the one way to write a point of the curve";
  if (isNeutral(timesPoint(8n, point))) return "anybody can sign with it (low order)";
  if (!isNeutral(timesPoint(GROUP_ORDER, point))) return "it has a part of low order";
  return null;
}

/** Whether readers agree about a signature of 64 bytes: R is canonical and not of low order, and S
is below the order of the group (RFC 8032, section 5.1.7). */
export function isPlainSignature(bytes) {
  const y = numberOf(bytes.subarray(0, 32)) & Y_BITS;
  return y < FIELD && !LOW_ORDER_YS.includes(y) && numberOf(bytes.subarray(32)) < GROUP_ORDER;
}
