"use client";

import { type FormEvent, useState } from "react";
import { CallError } from "@/lib/catalogue/client";
import { fieldErrors } from "./field-errors";

/**
 * One call of a form or button: it runs once at a time, and what it fails with is shown at its fields or above them.
 * What was filled in stays.
 *
 * @param work Throws a CallError where the service rejects it.
 * @param fields The form's fields as JSON pointers into the body, such as `/name`.
 * @example const { busy, errors, error, submit } = useAction((form) => save(form), ["/name"]);
 */
export function useAction(
  work: (form: FormData) => Promise<unknown>,
  fields: readonly string[] = [],
) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallError>();
  const run = async (form = new FormData()) => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await work(form);
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
  };
}

/** A text field of a form, trimmed; "" where it is absent. */
export const textOf = (form: FormData, name: string) => String(form.get(name) ?? "").trim();

/** Opens another address. Never resolves, so that the action that led there stays busy. */
export function leaveTo(address: string): Promise<never> {
  window.location.assign(address);
  return new Promise(() => undefined);
}
