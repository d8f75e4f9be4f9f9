"use client";

import { type FormEvent, useState } from "react";
import { t, translated } from "@/components/texts/t";
import { CallError } from "@/lib/catalogue/client";
import type { FormProblem } from "@/lib/features/portal/values";
import { useFormDraft } from "./form-draft";

/** The field of error codes that are about one field without naming it. */
const fieldOfCode: Record<string, string> = {
  "api-key.name-taken": "/name",
  "password.unsuitable": "/password",
};

/** The fields that an error names, as JSON pointers into the request's body. */
function pointersOf(error: CallError): string[] {
  const named = (error.reason ?? "").split(",").filter((pointer) => pointer.startsWith("/"));
  const implied = fieldOfCode[error.code];
  return named.length > 0 || implied === undefined ? named : [implied];
}

/**
 * The errors of a form's fields by pointer: an error at `/origins/0` belongs to `/origins`.
 * The service describes only the first; the others are only named.
 */
function fieldErrors(
  error: Error | null | undefined,
  fields: readonly string[],
): Record<string, string> {
  if (!(error instanceof CallError)) return {};
  const detail = translated(error.message)
    .replace(/ \(and \d+ more\)$/, "")
    .replace(/^\/\S+ must/, "It must");
  const entries = pointersOf(error).flatMap((pointer, index): [string, string][] => {
    const field = fields.find((one) => pointer === one || pointer.startsWith(`${one}/`));
    return field ? [[field, index === 0 ? detail : t("This value cannot be used.")]] : [];
  });
  // Of two errors at one field the first wins.
  return Object.fromEntries(entries.reverse());
}

/**
 * One call of a form or button: it runs once at a time, and its errors are shown at the fields or above them.
 * The input stays, and with a name for its draft it outlives the form until the call has succeeded.
 *
 * @param work Throws a CallError when the service rejects it. Calls `done` when it succeeded but never resolves.
 * @param fields The form's fields as JSON pointers into the body, such as `/name`.
 * @param draftName The form, such as `invite`; without it nothing is kept.
 * @param problem The failure of the form when it was sent without scripts.
 * @example const { busy, errors, error, form } = useAction((values) => save(values), ["/name"], "site");
 */
export function useAction(
  work: (form: FormData, done: () => void) => Promise<unknown>,
  fields: readonly string[] = [],
  draftName?: string,
  problem?: FormProblem,
) {
  const kept = useFormDraft(draftName);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(problem && toCallError(problem));
  const run = async (form = new FormData()) => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await work(form, kept.draft.forget);
      kept.draft.forget();
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setFailure(thrown);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(new FormData(event.currentTarget));
  };
  const errors = fieldErrors(failure, fields);
  return {
    busy,
    /** The error of each field, by pointer. */
    errors,
    /** A failure that no field shows. */
    error: Object.keys(errors).length > 0 ? undefined : failure,
    run,
    submit,
    /** The props of the form element. */
    form: { ...kept.form, onSubmit: submit },
    draft: kept.draft,
  };
}

const toCallError = ({ status, code, detail, ...more }: FormProblem) =>
  new CallError(status, code as CallError["code"], detail, more);

/** A text field of a form, trimmed; "" where it is absent. */
export const textOf = (form: FormData, name: string) => String(form.get(name) ?? "").trim();

/** Opens another address. Never resolves, so that the action stays busy until the page is left. */
export function leaveTo(address: string): Promise<never> {
  window.location.assign(address);
  return new Promise(() => undefined);
}
