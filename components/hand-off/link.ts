import type { PostedForm } from "@/lib/features/portal/values";
import { isKey } from "./key-format";
import type { Opened } from "./opened-secret";
import { unseal } from "./sealing";

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

/** What was opened, with its secret. The creator of a link can encrypt any text: what is not a key is not shown as one. */
export async function openedWith(
  key: string,
  { sealed, name, validTo }: NonNullable<PostedForm["opened"]>,
): Promise<Opened> {
  const text = await unseal({ sealed, key });
  return { name, validTo, secret: text !== undefined && isKey(text) ? text : undefined };
}

/** The secret of a hand-off that was opened without scripts: the person gave the server the key with the link. */
export async function openedByForm(posted: PostedForm | undefined): Promise<Opened | undefined> {
  if (!posted?.opened) return undefined;
  const { link = "" } = posted.values;
  return openedWith(readHandOffLink(link.slice(link.indexOf("#")))?.key ?? "", posted.opened);
}
