import { keepPreview, readPreview } from "@/components/ui/device-storage";

/** Unsaved edits and the state that they are based on. */
export interface Draft {
  base: { text: string; etag: string };
  text: string;
}

/** Stored for one user: a shared device never shows them to another. */
export const draftName = (tenant: string, userId: string, site: string, key: string) =>
  [tenant, userId, site, key].join("/");

const isText = (value: unknown): value is string => typeof value === "string";

/** The edits stored on this device; undefined when there are none. */
export function readDraft(name: string): Draft | undefined {
  const { text, base } = (readPreview(name) ?? {}) as Partial<Draft>;
  return isText(text) && isText(base?.text) && isText(base.etag)
    ? { text, base: { text: base.text, etag: base.etag } }
    : undefined;
}

/** Stores edits synchronously, so that they survive any end of the page. False when they could not be stored. */
export const keepDraft = (name: string, draft: Draft): boolean =>
  keepPreview(name, JSON.stringify(draft));

export const forgetDraft = (name: string): void => void keepPreview(name, undefined);
