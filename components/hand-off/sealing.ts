/*
 * The secret of a key on its way to somebody. Only the two browsers can read it, unless the reader's runs no scripts and gives the server
 * the key with the link:
 *
 *     sealed   base64url(initialization vector, 12 bytes | AES-256-GCM ciphertext | tag, 16 bytes): the service stores it until it is opened
 *     key      base64url(32 random bytes): in the fragment of the link, which browsers send to nobody
 *
 * Each key encrypts one text, so a random vector cannot be used twice with it.
 */

const algorithm = "AES-GCM";
const vectorBytes = 12;

/** An encrypted text, and what decrypts it. */
export interface Sealed {
  sealed: string;
  key: string;
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );

/** SHA-256 of a text in hexadecimal digits. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Encrypts a text with a new key. Browsers can in a secure context only: over HTTPS, or on this machine. */
export async function seal(text: string): Promise<Sealed> {
  const raw = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(vectorBytes));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["encrypt"]);
  const plain = new TextEncoder().encode(text);
  const ciphertext = await crypto.subtle.encrypt({ name: algorithm, iv }, key, plain);
  const sealed = toBase64Url(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
  return { sealed, key: toBase64Url(raw) };
}

/** The text; undefined where the key is another one or the sealed text was changed. */
export async function unseal({ sealed, key: raw }: Sealed): Promise<string | undefined> {
  try {
    const bytes = fromBase64Url(sealed);
    const key = await crypto.subtle.importKey("raw", fromBase64Url(raw), algorithm, false, [
      "decrypt",
    ]);
    const iv = bytes.subarray(0, vectorBytes);
    const plain = await crypto.subtle.decrypt(
      { name: algorithm, iv },
      key,
      bytes.subarray(vectorBytes),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return undefined;
  }
}
