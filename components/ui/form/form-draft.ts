"use client";

import { createContext, use, useEffect, useRef, useState } from "react";
import { keepInTab, readInTab } from "@/components/ui/device-storage";

/** The owner of drafts: a user in a tenant, or a visitor without a session. */
export const DraftOwner = createContext("public");

/** The input of a form, by field. */
type DraftValues = Record<string, string>;

const maxLength = 65_536;

/** The storage key of a user's draft of one form. */
export const draftKey = (owner: string, form: string) => `draft.${owner}/${form}`;

function isValues(kept: unknown): kept is DraftValues {
  return (
    typeof kept === "object" &&
    kept !== null &&
    Object.values(kept).every((value) => typeof value === "string")
  );
}

/** The draft of a form stored in this tab; undefined when there is none. */
export function readDraft(key: string): DraftValues | undefined {
  const kept = readInTab(key);
  return isValues(kept) ? kept : undefined;
}

/** Stores input until the tab is closed; nothing without input. Returns whether there is a draft now. */
export function keepDraft(key: string, values: DraftValues): boolean {
  const text = JSON.stringify(values);
  const isWorthIt = Object.keys(values).length > 0 && text.length <= maxLength;
  return keepInTab(key, isWorthIt ? text : undefined);
}

export const forgetDraft = (key: string) => void keepDraft(key, {});

/** The values that differ from the form's initial ones. */
export function changedValues(initial: DraftValues, current: DraftValues): DraftValues {
  return Object.fromEntries(
    Object.entries(current).filter(([name, value]) => value !== (initial[name] ?? "")),
  );
}

/** Whether a field may be stored: never a password, a file, or a field without a name. */
export function isKeepable(field: { name: string; type: string; autocomplete?: string }): boolean {
  return (
    field.name !== "" &&
    !/^(password|file|hidden|submit|button|reset)$/.test(field.type) &&
    !/password|one-time-code/.test(field.autocomplete ?? "")
  );
}

type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isChoice = (field: FormField): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

const nameOf = (field: FormField) =>
  isChoice(field) ? `${field.name}=${field.value}` : field.name;

function fieldsOf(form: HTMLFormElement): FormField[] {
  return [...form.elements].filter(
    (element): element is FormField =>
      (element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement) &&
      !element.hasAttribute("data-secret") &&
      isKeepable(element),
  );
}

const readForm = (form: HTMLFormElement): DraftValues =>
  Object.fromEntries(
    fieldsOf(form).map((field) => [
      nameOf(field),
      isChoice(field) ? String(field.checked) : field.value,
    ]),
  );

/** Sets the value by the native setter, so that React does not ignore the event as unchanged. */
function setValue(field: FormField, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Fills in the draft like a user, by events, so that React's controlled fields get it too. */
function fillForm(form: HTMLFormElement, values: DraftValues): void {
  for (const field of fieldsOf(form)) {
    const value = values[nameOf(field)];
    if (value === undefined) continue;
    if (!isChoice(field)) {
      if (field.value !== value) setValue(field, value);
    } else if (String(field.checked) !== value) field.click();
  }
}

export interface FormDraft {
  /** Whether a draft is stored. */
  isKept: boolean;
  /** Resets the form to its initial values. */
  discard: () => void;
  /** Deletes the draft, after the input was used. */
  forget: () => void;
}

/**
 * Stores a form's input in this tab: it survives Esc, a click outside, another page, a reload and
 * the end of the session. Passwords are never stored.
 *
 * @param name The form, such as `lock-user_1`; without it nothing is kept.
 */
export function useFormDraft(name: string | undefined) {
  const owner = use(DraftOwner);
  const key = name === undefined ? undefined : draftKey(owner, name);
  // State instead of a ref: a dialog's form is mounted later than the component that renders the dialog.
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const initial = useRef<{ form: HTMLFormElement; key: string; values: DraftValues }>(undefined);
  const [isKept, setIsKept] = useState(false);
  useEffect(() => {
    if (!form || key === undefined) return;
    if (initial.current?.form === form && initial.current.key === key) return;
    initial.current = { form, key, values: readForm(form) };
    const kept = readDraft(key);
    if (!kept) return;
    fillForm(form, kept);
    setIsKept(true);
  }, [form, key]);
  const keep = () => {
    if (!form || key === undefined || !initial.current) return;
    setIsKept(keepDraft(key, changedValues(initial.current.values, readForm(form))));
  };
  const forget = () => {
    if (key === undefined) return;
    forgetDraft(key);
    if (form) initial.current = { form, key, values: readForm(form) };
    setIsKept(false);
  };
  const discard = () => {
    if (form && initial.current) fillForm(form, initial.current.values);
    if (key !== undefined) forgetDraft(key);
    setIsKept(false);
  };
  const draft: FormDraft = { isKept, discard, forget };
  return { form: { ref: setForm, onInput: keep }, draft };
}
