"use client";

import { type FormEvent, useState } from "react";
import { CallError } from "@/lib/catalogue/client";
import type { FormProblem } from "@/lib/features/portal/values";
import { fieldErrors } from "./field-errors";
import { useFormDraft } from "./form-draft";

/**
 * One call of a form or button: it runs once at a time, and what it fails with is shown at its fields or above them.
 * What was filled in stays, and with a name for its draft it outlives the form until the call has succeeded.
 *
 * @param work Throws a CallError where the service rejects it. Calls `done` where it succeeded but never resolves.
 * @param fields The form's fields as JSON pointers into the body, such as `/name`.
 * @param draftName The form, such as `invite`; without it nothing is kept.
 * @param problem What is wrong with the form as a browser sent it by itself.
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
    /** What is wrong with each field, by its pointer. */
    errors,
    /** A failure that no field shows. */
    error: Object.keys(errors).length > 0 ? undefined : failure,
    run,
    submit,
    /** What the form element takes. */
    form: { ...kept.form, onSubmit: submit },
    draft: kept.draft,
  };
}

const toCallError = ({ status, code, detail, ...more }: FormProblem) =>
  new CallError(status, code as CallError["code"], detail, more);

/** A text field of a form, trimmed; "" where it is absent. */
export const textOf = (form: FormData, name: string) => String(form.get(name) ?? "").trim();

/** Opens another address. Never resolves, so that the action that led there stays busy. */
export function leaveTo(address: string): Promise<never> {
  window.location.assign(address);
  return new Promise(() => undefined);
}
