/*
 * Whether a text is an API key: "svk_", 43 characters of base62, and the CRC-32 of these 47 in 6 digits of base62. A page of this product
 * must show nothing else as a key that somebody has sealed.
 */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The reversed polynomial of CRC-32 (ISO 3309), as zlib has it. */
const polynomial = 0xedb88320;

/** Bit by bit: a table would be longer than what it is used for, once. */
function crc32(text: string): number {
  let rest = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? polynomial : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function checksum(text: string): string {
  let digits = "";
  for (let rest = crc32(text); digits.length < 6; rest = Math.floor(rest / 62))
    digits = `${alphabet[rest % 62]}${digits}`;
  return digits;
}

export const isKey = (text: string): boolean =>
  /^svk_[0-9A-Za-z]{49}$/.test(text) && checksum(text.slice(0, 47)) === text.slice(47);
