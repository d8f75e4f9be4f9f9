"use client";

import { type ComponentProps, type ReactNode, Suspense, startTransition, useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { MenuGroup } from "./item";
import type { MenuListProps } from "./list";

const MenuList = lazyPart(() => import("./list").then((module) => module.MenuList), {
  meanwhile: ({ button }) => <Button {...button} aria-haspopup="menu" aria-expanded={false} />,
});
const MenuSearch = lazyPart(() => import("./search").then((module) => module.MenuSearch), {
  isRare: true,
  meanwhile: ({ button }) => <Button {...button} aria-haspopup="dialog" aria-expanded={false} />,
});

/** A searchable menu with more entries than this has a search field. */
const mostWithoutSearch = 7;

export interface MenuProps extends Omit<ComponentProps<typeof Button>, "onSelect"> {
  groups?: MenuGroup[];
  align?: "start" | "end";
  /** The label of the field that searches a long menu by labels and keys; without it there is no field. */
  search?: string;
  /** The content to open instead of the list of the groups. */
  list?: { show: (opened: Omit<MenuListProps, "groups">) => ReactNode; preload: () => void };
}

/** A button that opens a menu. The menu's code loads when a pointer or the focus comes near. */
export function Menu({ groups = [], align = "end", search, list, ...button }: MenuProps) {
  const [wanted, setWanted] = useState<"keyboard" | "pointer">();
  const open = (by: "keyboard" | "pointer") => startTransition(() => setWanted(by));
  const entries = groups.reduce((sum, { items }) => sum + items.length, 0);
  const label = entries > mostWithoutSearch ? search : undefined;
  const preload = label ? MenuSearch.preload : (list ?? MenuList).preload;
  const trigger = (
    <Button
      {...button}
      aria-haspopup={label ? "dialog" : "menu"}
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => open(event.detail === 0 ? "keyboard" : "pointer")}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open("keyboard");
      }}
    />
  );
  if (!wanted) return trigger;
  const opened = { align, button, byKeyboard: wanted === "keyboard" };
  return (
    <Suspense fallback={trigger}>
      {label ? (
        <MenuSearch {...{ groups, align, button, label }} />
      ) : (
        (list?.show(opened) ?? <MenuList {...opened} groups={groups} />)
      )}
    </Suspense>
  );
}
