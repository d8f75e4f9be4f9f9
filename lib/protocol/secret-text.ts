const leastBytes = 32;

/** The bytes of a secret written in hexadecimal, base64 or base64url, or else as it is. Throws, without showing it, when they are too few. */
export function decodeSecret(text: string): Buffer {
  const trimmed = text.trim();
  const hex = /^(?:[0-9a-f]{2})+$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : undefined;
  const base64 = /^[\w+/-]+={0,2}$/.test(trimmed) ? Buffer.from(trimmed, "base64") : undefined;
  const key = [hex, base64, Buffer.from(trimmed)].find(
    (bytes) => bytes !== undefined && bytes.length >= leastBytes,
  );
  if (key === undefined)
    throw new Error(
      `it holds fewer than ${leastBytes} bytes. Make one with: openssl rand -base64 32`,
    );
  return key;
}
