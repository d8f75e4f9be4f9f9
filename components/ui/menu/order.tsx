"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { reader, t } from "@/components/texts/t";
import type { MenuItem } from "./item";
import { MenuEntry, MenuList, type MenuListProps } from "./list";

/** An opened menu whose entries can be moved, by keys and by buttons next to them. */
export function MenuOrder(list: MenuListProps) {
  const [said, setSaid] = useState("");
  const entry = (item: MenuItem, index: number, items: MenuItem[]) => {
    const move = (by: number) => {
      const position = index + by + 1;
      if (position < 1 || position > items.length) return;
      item.onMove?.(by);
      const values = { name: nameOf(item), position, count: items.length };
      setSaid(t("{name}: position {position} of {count}", values));
    };
    return item.onMove ? (
      <MovableEntry
        item={item}
        isFirst={index === 0}
        isLast={index === items.length - 1}
        move={move}
      />
    ) : (
      <MenuEntry item={item} />
    );
  };
  return (
    <>
      {/* Outside the menu, which may contain only its entries. */}
      <p role="status" className="sr-only">
        {said}
      </p>
      <MenuList {...list} entry={entry} />
    </>
  );
}

/** The label of an entry in the name of its buttons. */
const nameOf = ({ label, key }: MenuItem) => (typeof label === "string" ? label : key);

interface MovableEntryProps {
  item: MenuItem;
  isFirst: boolean;
  isLast: boolean;
  move: (by: number) => void;
}

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

function MovableEntry({ item, isFirst, isLast, move }: MovableEntryProps) {
  const name = nameOf(item);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (!event.altKey) return focusBeside(event);
    if (step === undefined) return;
    event.preventDefault();
    move(step);
  };
  return (
    <div role="none" className="flex items-center">
      <MenuEntry
        item={item}
        className="min-w-0 flex-1"
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onKeyDown={onKeyDown}
      />
      <MoveButton
        label={t("Move {name} up", { name })}
        isUnavailable={isFirst}
        onClick={() => move(-1)}
        onKeyDown={onKeyDown}
      >
        <ArrowUp aria-hidden="true" className="size-4" />
      </MoveButton>
      <MoveButton
        label={t("Move {name} down", { name })}
        isUnavailable={isLast}
        onClick={() => move(1)}
        onKeyDown={onKeyDown}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </MoveButton>
    </div>
  );
}

/** The arrows move from an entry to its buttons and back, and from a button to the same one of the entry above or below. */
function focusBeside(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, key } = event;
  const row = currentTarget.parentElement;
  const at = [...(row?.children ?? [])].indexOf(currentTarget);
  const along = reader().direction === "rtl" ? -1 : 1;
  const targets: Record<string, Element | undefined> = {
    ArrowRight: row?.children[at + along],
    ArrowLeft: row?.children[at - along],
    // From an entry the menu handles up and down.
    ...(at > 0 && {
      ArrowUp: row?.previousElementSibling?.children[at],
      ArrowDown: row?.nextElementSibling?.children[at],
    }),
  };
  const target = targets[key];
  if (!(target instanceof HTMLElement)) return;
  event.preventDefault();
  target.focus();
}

interface MoveButtonProps {
  label: string;
  /** It keeps the focus, so that an entry moved to an end can be moved back. */
  isUnavailable: boolean;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  children: ReactNode;
}

/** Not a menu item, because up and down would take three steps for each entry. */
function MoveButton({ label, isUnavailable, ...rest }: MoveButtonProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-label={label}
      aria-disabled={isUnavailable}
      className="flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-subtle hover:text-text focus-visible:-outline-offset-2 aria-disabled:[&>svg]:opacity-40 pointer-coarse:size-10"
      {...rest}
    />
  );
}
