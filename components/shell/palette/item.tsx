"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";
import { t } from "@/components/texts/t";

/** The text when nothing was found. */
export function PaletteNothing({ search }: { search: string }) {
  return (
    <Command.Empty className="px-3 py-6 text-center text-body text-muted">
      {t('No results for "{search}".', { search })}
    </Command.Empty>
  );
}

/** The keyword of an item that a search has found: its text need not contain the typed words. */
export const foundAlready = "found already";

interface PaletteItemProps {
  value: string;
  icon?: ReactNode;
  note?: ReactNode;
  keywords?: string[];
  disabled?: boolean;
  onSelect?: () => void;
  children: ReactNode;
}

export function PaletteItem({
  value,
  icon,
  note,
  keywords,
  disabled = false,
  onSelect,
  children,
}: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords ?? []}
      disabled={disabled}
      onSelect={() => onSelect?.()}
      className="flex min-h-9 cursor-pointer items-center gap-x-2.5 rounded-control px-2 text-control max-sm:flex-wrap max-sm:py-1.5 aria-disabled:cursor-default aria-disabled:text-muted data-[selected=true]:bg-subtle"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note ? (
        <span className="max-w-[55%] truncate text-meta text-muted max-sm:max-w-full max-sm:basis-full max-sm:ps-6.5">
          {note}
        </span>
      ) : null}
    </Command.Item>
  );
}

const letterMark = "letter:";

/** The keyword of an item with a letter: when only the letter is typed, it is listed once, as the shortcut. */
export const byLetter = (letter: string) => `${letterMark}${letter}`;

/** Every typed word must occur, except in items that the service or another search has found. 0 hides an item. */
export function matchOf(value: string, search: string, keywords: string[] = []): 0 | 1 {
  if (keywords.includes(foundAlready)) return 1;
  if (keywords.includes(byLetter(search.trim()))) return 0;
  const said = keywords.filter((keyword) => !keyword.startsWith(letterMark));
  const text = [value, ...said].join(" ").toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word)) ? 1 : 0;
}
