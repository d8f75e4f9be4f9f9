"use client";

import { Search } from "lucide-react";
import { type RefObject, startTransition, useEffect, useRef, useState } from "react";
import { Kbd } from "@/components/ui/kbd";
import { Input } from "./field";

interface SearchInputProps {
  label: string;
  placeholder: string;
  value: string;
  /** Called at once for the first keystroke, and at most every 60 ms during fast typing. */
  onChange: (value: string) => void;
}

const pauseMs = 60;

/** `/` focuses the field from anywhere on the page. */
function useSlashFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key !== "/" || isTyping || document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, [field]);
}

/** The text in the field, ahead of `value`, which follows at most every 60 ms. */
function useThrottledText(value: string, onChange: SearchInputProps["onChange"]) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(value);
  // The reported values that `value` has not reached yet, after the last one that it has.
  const reported = useRef({ values: [value], at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    const { values } = reported.current;
    const isEcho = values.includes(value);
    reported.current.values = isEcho ? values.slice(values.indexOf(value)) : [value];
    if (!isEcho) setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    const report = () => {
      reported.current = {
        values: [...reported.current.values, next],
        at: performance.now(),
      };
      // The typed letter shows in the field before the results update.
      startTransition(() => onChange(next));
    };
    const waitMs = reported.current.at + pauseMs - performance.now();
    if (waitMs <= 0) report();
    else timer.current = setTimeout(report, waitMs);
  };
  return { text, change };
}

/** A search field that `/` focuses from anywhere on the page, and Esc empties. */
export function SearchInput({ label, placeholder, value, onChange }: SearchInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const { text, change } = useThrottledText(value, onChange);
  useSlashFocus(field);
  return (
    <div className="relative min-w-52 flex-1 basis-60 sm:max-w-80">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute start-2.5 top-2 size-4 text-muted"
      />
      <Input
        ref={field}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        className="ps-8 pe-9 [&::-webkit-search-cancel-button]:hidden"
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && change("")}
      />
      <span className="pointer-events-none absolute end-2 top-1.5 max-sm:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}

/** The search field above a list that is loaded completely. */
export const SearchBar = (props: SearchInputProps) => (
  <div className="flex border-b border-border px-3 py-2 print:hidden">
    <SearchInput {...props} />
  </div>
);

/** Whether a text contains every typed word. */
export const holdsWords = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
