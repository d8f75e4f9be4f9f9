"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";

interface CustomerSearchProps {
  value: string;
  onSearch: (q: string) => void;
}

/** Searches on submit, not while one types: each search leaves an entry in the audit trail. */
export function CustomerSearch({ value, onSearch }: CustomerSearchProps) {
  const [text, setText] = useState(value);
  return (
    <search className="border-b border-border p-3 print:hidden">
      <form
        method="post"
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Input
          type="search"
          aria-label={t("Whole login, e-mail address or customer id")}
          placeholder={t("Whole login, e-mail address or id")}
          className="min-w-52 flex-1 basis-60 sm:max-w-96"
          maxLength={256}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">{t("Find customer")}</Button>
        {value ? (
          <Button tone="quiet" onClick={() => onSearch("")}>
            {t("Show all")}
          </Button>
        ) : null}
      </form>
    </search>
  );
}
