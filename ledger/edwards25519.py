"""The curve edwards25519, as much of it as judging a public key takes (RFC 8032 §5.1).

Pure integers, no secrets: nothing here is constant-time, so no private key may ever come here.
Signing and verifying are the work of the `cryptography` package; this answers the one question it
does not: is this key a point of the large prime-order group, in its one spelling?
"""

from __future__ import annotations

P = 2**255 - 19
"""The field's prime."""
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point; the curve has 8·L points (RFC 8032 §5.1, table 1)."""

SIGN_BIT = 1 << 255
_D = -121665 * pow(121666, -1, P) % P
_SQRT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
"""Extended homogeneous coordinates X, Y, Z, T: x = X/Z, y = Y/Z, x·y = T/Z (RFC 8032 §5.1.4)."""

IDENTITY: Point = (0, 1, 1, 0)


def decode(encoding: bytes) -> Point | None:
    """The point of 32 bytes, or None if they are not its canonical encoding (RFC 8032 §5.1.3).

    Stricter than many: y ≥ p, and x = 0 with the sign bit set, are refused as the RFC asks.
    """
    number = int.from_bytes(encoding, "little")
    y = number & (SIGN_BIT - 1)
    if len(encoding) != 32 or y >= P:
        return None
    u, v = (y * y - 1) % P, (_D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x + u) % P == 0:
        x = x * _SQRT_OF_MINUS_1 % P
    if (v * x * x - u) % P != 0:
        return None
    sign = number >> 255
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def add(a: Point, b: Point) -> Point:
    """a + b, for any two points, equal ones and those of low order too (RFC 8032 §5.1.4)."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m, n = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * _D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(a: Point) -> Point:
    """a + a, in fewer steps (RFC 8032 §5.1.4)."""
    x, y, z, _ = a
    xx, yy = x * x % P, y * y % P
    h, g = xx + yy, xx - yy
    e, f = h - (x + y) * (x + y), 2 * z * z + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(a: Point) -> Point:
    """-a: x and t change their signs."""
    x, y, z, t = a
    return P - x, y, z, P - t


def multiply(scalar: int, point: Point) -> Point:
    """scalar · point; takes as long as the scalar is long."""
    double_point = double(point)
    odd = [point]  # 1, 3, 5, 7 times the point
    for _ in range(3):
        odd.append(add(odd[-1], double_point))
    result = IDENTITY
    for digit in reversed(_signed_digits(scalar)):
        result = double(result)
        if digit > 0:
            result = add(result, odd[digit >> 1])
        elif digit < 0:
            result = add(result, negate(odd[-digit >> 1]))
    return result


def _signed_digits(scalar: int) -> list[int]:
    """The scalar in binary, lowest first, with digits 0, ±1, ±3, ±5, ±7 of which few are not 0
    (the non-adjacent form of width 4)."""
    digits = []
    while scalar:
        digit = 0
        if scalar & 1:
            digit = scalar & 15
            digit -= 16 * (digit > 8)
        digits.append(digit)
        scalar = (scalar - digit) >> 1
    return digits


def is_identity(point: Point) -> bool:
    """Whether the point is the neutral one, (0, 1)."""
    x, y, z, _ = point
    return x % P == 0 and (y - z) % P == 0
