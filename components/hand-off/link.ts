/** What the fragment of a link holds: the token opens the hand-off, the key decrypts it. */
export interface HandOffLink {
  token: string;
  key: string;
}

export const handOffLink = (
  origin: string,
  { tenant, token, key }: HandOffLink & { tenant: string },
): string => `${origin}/hand-off/${tenant}#token=${token}&key=${key}`;

/** Undefined where a part is missing or was cut off: opening it would use it up for nothing. */
export function readHandOffLink(hash: string): HandOffLink | undefined {
  const parts = new URLSearchParams(hash.slice(1));
  const [token, key] = [parts.get("token") ?? "", parts.get("key") ?? ""];
  const isComplete = /^svh_[0-9A-Za-z]{43}$/.test(token) && /^[\w-]{43}$/.test(key);
  return isComplete ? { token, key } : undefined;
}
