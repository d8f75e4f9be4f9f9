"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";

interface PaletteItemProps {
  value: string;
  icon?: ReactNode;
  note?: ReactNode;
  keywords?: string[];
  disabled?: boolean;
  onSelect?: () => void;
  children: ReactNode;
}

export function PaletteItem({ value, icon, note, keywords, disabled = false, onSelect, children }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords ?? []}
      disabled={disabled}
      onSelect={() => onSelect?.()}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2 text-control aria-disabled:cursor-default aria-disabled:text-muted data-[selected=true]:bg-subtle"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note ? <span className="shrink-0 text-meta text-muted">{note}</span> : null}
    </Command.Item>
  );
}
