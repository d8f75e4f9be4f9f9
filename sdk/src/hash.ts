/** The part of node:crypto that this module uses, available in Node, Deno and Bun but not in browsers. */
interface NodeCrypto {
  hash?: (algorithm: string, text: string, encoding: "base64") => string;
  createHash: (algorithm: string) => {
    update(text: string): { digest(encoding: "base64"): string };
  };
}

interface NodeProcess {
  getBuiltinModule?: (name: string) => NodeCrypto | undefined;
}

async function subtleHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** SHA-256 in base64, synchronous if the platform supports it: browsers and workers only return a promise. */
export function chooseHash(
  platform = (globalThis as { process?: NodeProcess }).process,
): (text: string) => string | Promise<string> {
  const node = platform?.getBuiltinModule?.("node:crypto");
  if (!node) return subtleHash;
  const { hash, createHash } = node;
  if (hash) return (text) => hash("sha256", text, "base64");
  return (text) => createHash("sha256").update(text).digest("base64");
}
