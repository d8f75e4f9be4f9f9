import { keepPreview, readPreview } from "@/components/ui/device-storage";

/** Edits that are not saved yet, and the state they were made from. */
export interface Draft {
  base: { text: string; etag: string };
  text: string;
}

/** Kept for one person: a shared device shows nobody another's edits. */
export const draftName = (tenant: string, userId: string, site: string, key: string) =>
  [tenant, userId, site, key].join("/");

const isText = (value: unknown): value is string => typeof value === "string";

/** The edits that this device kept; undefined when there are none. */
export function readDraft(name: string): Draft | undefined {
  const { text, base } = (readPreview(name) ?? {}) as Partial<Draft>;
  return isText(text) && isText(base?.text) && isText(base.etag)
    ? { text, base: { text: base.text, etag: base.etag } }
    : undefined;
}

/** Keeps edits at once: whatever ends the page finds them written. False when they are not kept. */
export const keepDraft = (name: string, draft: Draft): boolean =>
  keepPreview(name, JSON.stringify(draft));

export const forgetDraft = (name: string): void => void keepPreview(name, undefined);
