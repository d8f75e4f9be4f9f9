"use client";

import type { Selection } from "./selection";
import { Cell, HeadCell } from "./table";

const look = "size-4 max-sm:size-6 align-middle accent-accent";

interface SelectAllProps<Item> {
  /** The selectable items on screen. */
  shown: Item[];
  selection: Selection<Item>;
  label: string;
}

export function SelectAll<Item>({ shown, selection, label }: SelectAllProps<Item>) {
  const count = shown.filter(selection.has).length;
  return (
    <HeadCell className="w-8">
      <input
        type="checkbox"
        className={look}
        aria-label={label}
        checked={count > 0 && count === shown.length}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < shown.length;
        }}
        onChange={selection.toggleAll}
      />
    </HeadCell>
  );
}

interface SelectOneProps<Item> {
  item: Item;
  selection: Selection<Item>;
  label: string;
}

/** Stacked above the link that covers the row. With Shift held it selects everything since the last one. */
export function SelectOne<Item>({ item, selection, label }: SelectOneProps<Item>) {
  return (
    <Cell className="w-8">
      <input
        type="checkbox"
        className={`${look} relative z-1`}
        aria-label={label}
        checked={selection.has(item)}
        onChange={(event) =>
          selection.toggle(
            item,
            event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey,
          )
        }
      />
    </Cell>
  );
}
