"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { type FormPart, propertyOf, setValue } from "./json-document";

/** Language tags with commas between; what is being typed stays as typed until the field is left. */
export function LocalesField({ text, root, problemOf, onChange }: FormPart) {
  const [typed, setTyped] = useState<string>();
  const value = propertyOf(root, "locales");
  const isList =
    value === undefined || (Array.isArray(value) && value.every((tag) => typeof tag === "string"));
  const shown =
    typed ??
    (Array.isArray(value) && isList
      ? value.join(", ")
      : value === undefined
        ? ""
        : JSON.stringify(value));
  const change = (next: string) => {
    setTyped(next);
    const tags = next
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
    onChange(
      setValue(
        text,
        ["locales"],
        tags.length > 0 ? `[${tags.map((tag) => JSON.stringify(tag)).join(", ")}]` : undefined,
      ),
    );
  };
  return (
    <Field
      label={t("Locales")}
      error={problemOf("locales")}
      hint={
        isList
          ? t("Language tags with commas between, such as de-AT, en.")
          : t("Correct the list in the JSON view.")
      }
    >
      {(control) => (
        <Input
          {...control}
          disabled={!isList}
          value={shown}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}
