"use client";

import { t } from "@/components/texts/t";
import type { MenuGroup } from "@/components/ui/menu/item";
import type { MenuListProps } from "@/components/ui/menu/list";
import { MenuOrder } from "@/components/ui/menu/order";
import type { ChosenColumns } from "./chosen-columns";

/** The order with one column moved by this many places; unchanged when the target is not allowed. The first place is fixed. */
export function moveColumn(order: readonly string[], id: string, by: number): string[] {
  const from = order.indexOf(id);
  const to = from + by;
  const rest = order.filter((one) => one !== id);
  return from < 1 || to < 1 || to > rest.length
    ? [...order]
    : [...rest.slice(0, to), id, ...rest.slice(to)];
}

interface ColumnsListProps extends Omit<MenuListProps, "groups" | "entry"> {
  columns: ChosenColumns;
  nameOf: (id: string) => string;
}

/** The opened menu of the columns. The first one names the row and can be neither hidden nor moved. */
export function ColumnsList({ columns, nameOf, ...list }: ColumnsListProps) {
  const { ids, order, shown, address, widths, change } = columns;
  const choose = (now: { shown?: readonly string[]; order?: readonly string[] }) => {
    const next = { shown, order, ...now };
    change({
      ...address,
      hide: next.order.filter((id) => !next.shown.includes(id)).join() || "none",
      columns: next.order.join() === ids.join() ? "default" : next.order.join(),
    });
  };
  const items = order.slice(1).map((id) => {
    const checked = shown.includes(id);
    const toggled = checked ? shown.filter((one) => one !== id) : [...shown, id];
    return {
      key: id,
      label: nameOf(id),
      checked,
      onSelect: () => choose({ shown: toggled }),
      onMove: (by: number) => choose({ order: moveColumn(order, id, by) }),
    };
  });
  const groups: MenuGroup[] = [{ key: "columns", title: t("Alt + ↑ or ↓ moves a column"), items }];
  if (address.widths !== "default") {
    const items = [{ key: "fit", label: t("Reset widths"), onSelect: () => widths.change({}) }];
    groups.push({ key: "widths", items });
  }
  if (address.hide !== "none" || address.columns !== "default") {
    const reset = () => choose({ shown: ids, order: ids });
    groups.push({
      key: "reset",
      items: [{ key: "reset", label: t("Reset columns"), onSelect: reset }],
    });
  }
  return <MenuOrder {...list} groups={groups} />;
}
