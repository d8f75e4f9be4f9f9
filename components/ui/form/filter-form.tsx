"use client";

import type { FormEvent, ReactNode } from "react";
import { type Message, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Field, Input } from "./field";

interface FilterField<Name extends string> {
  name: Name;
  label: Message;
  placeholder: string;
  type?: "text" | "date";
}

interface FilterFormProps<Name extends string> {
  fields: readonly FilterField<Name>[];
  filters: Record<Name, string>;
  onChange: (change: Record<Name, string>) => void;
  /** The width of a field, and the element around all of them. */
  fieldClass: string;
  className: string;
  /** Further controls next to the fields and the button. */
  children?: ReactNode;
}

/** Fields by which a list is filtered, applied at once by a button. */
export function FilterForm<Name extends string>(props: FilterFormProps<Name>) {
  const { fields, filters, onChange, fieldClass, className, children } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = fields.map(({ name }) => [name, String(form.get(name) ?? "").trim()]);
    onChange(Object.fromEntries(given));
  };
  return (
    <form
      method="post"
      key={JSON.stringify(filters)}
      onSubmit={submit}
      className={`flex flex-wrap items-end gap-2 ${className}`}
    >
      {fields.map(({ name, label, placeholder, type = "text" }) => (
        <div key={name} className={`min-w-32 flex-1 ${fieldClass}`}>
          <Field label={t(label)}>
            {(control) => (
              <Input
                {...control}
                name={name}
                type={type}
                placeholder={placeholder}
                defaultValue={filters[name]}
                spellCheck={false}
                autoCapitalize="none"
              />
            )}
          </Field>
        </div>
      ))}
      {children ?? <Button type="submit">{t("Apply filters")}</Button>}
    </form>
  );
}
