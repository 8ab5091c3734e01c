/* Bytes: how texts, numbers and hashes are written, and the two hash functions of the browser. */

const HEX_DIGITS = /^(?:[0-9a-f]{2})*$/;
const IN_HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = new TextEncoder();

/** The bytes of a text in UTF-8. */
export function bytesOf(text) {
  return utf8.encode(text);
}

/** The text in UTF-8 bytes, or null where they are none. */
export function textOf(bytes) {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Bytes as characters of the same numbers; only for what is looked at as ASCII. */
export function asciiOf(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + 8192));
  }
  return text;
}

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

export function hexOf(bytes) {
  let text = "";
  for (const byte of bytes) text += IN_HEX[byte];
  return text;
}

/** The bytes of lower-case hex. */
export function fromHex(text) {
  if (!HEX_DIGITS.test(text)) throw new TypeError("not lower-case hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Base64 with its padding, as RFC 4648 section 4 has it. */
export function base64Of(bytes) {
  return btoa(asciiOf(bytes));
}

/** The bytes of padded base64, or null. Stray bits in the last character are let through: whoever
cares writes the bytes again (RFC 4648 section 3.5). */
export function fromBase64(text) {
  if (text.length % 4) return null;
  let read;
  try {
    read = atob(text);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(read.length);
  for (let place = 0; place < read.length; place += 1) bytes[place] = read.charCodeAt(place);
  return bytes;
}

/** An unsigned number in four bytes, the highest first. */
export function inFourBytes(number) {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/** A number from bytes, the lowest first (RFC 8032 section 5.1.2). */
export function numberOf(bytes) {
  return BigInt(`0x${hexOf(bytes.slice().reverse()) || "0"}`);
}

export async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
}

export async function hmacSha256(secret, message) {
  const form = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, form, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}
