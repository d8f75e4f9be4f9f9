/** Edits that are not saved yet, and the state they were made from. */
export interface Draft {
  base: { text: string; etag: string };
  text: string;
}

const prefix = "gatehouse.preview.";

/** Kept for one person: a shared device shows nobody another's edits. */
export const draftName = (tenant: string, userId: string, site: string, key: string) =>
  [tenant, userId, site, key].join("/");

const isText = (value: unknown): value is string => typeof value === "string";

/** The edits that this device kept; undefined when there are none. */
export function readDraft(name: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + name) ?? "null");
    if (typeof kept !== "object" || kept === null) return undefined;
    const { text, base } = kept as Partial<Draft>;
    return isText(text) && isText(base?.text) && isText(base.etag)
      ? { text, base: { text: base.text, etag: base.etag } }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps edits at once: whatever ends the page finds them written. False when the browser keeps nothing. */
export function keepDraft(name: string, draft: Draft): boolean {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function forgetDraft(name: string): void {
  try {
    localStorage.removeItem(prefix + name);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
