import { keepInTab, readInTab } from "@/components/ui/device-storage";

/** What was typed into a form, by field. */
export type DraftValues = Record<string, string>;

const maxLength = 65_536;

/** The name of a draft: one person's, in one form. */
export const draftKey = (owner: string, form: string) => `draft.${owner}/${form}`;

function isValues(kept: unknown): kept is DraftValues {
  return (
    typeof kept === "object" &&
    kept !== null &&
    Object.values(kept).every((value) => typeof value === "string")
  );
}

/** What this tab kept for a form; undefined when there is nothing. */
export function readDraft(key: string): DraftValues | undefined {
  const kept = readInTab(key);
  return isValues(kept) ? kept : undefined;
}

/** Keeps what was typed until the tab is closed; nothing typed, nothing kept. Returns whether there is a draft now. */
export function keepDraft(key: string, values: DraftValues): boolean {
  const text = JSON.stringify(values);
  const isWorthIt = Object.keys(values).length > 0 && text.length <= maxLength;
  return keepInTab(key, isWorthIt ? text : undefined);
}

export const forgetDraft = (key: string) => void keepDraft(key, {});

/** What differs from how the form began. */
export function changedValues(initial: DraftValues, current: DraftValues): DraftValues {
  return Object.fromEntries(
    Object.entries(current).filter(([name, value]) => value !== (initial[name] ?? "")),
  );
}

/** What may be kept of a field: never a password, a file, or what has no name. */
export function isKeepable(field: { name: string; type: string; autocomplete?: string }): boolean {
  return (
    field.name !== "" &&
    !/^(password|file|hidden|submit|button|reset)$/.test(field.type) &&
    !/password|one-time-code/.test(field.autocomplete ?? "")
  );
}
