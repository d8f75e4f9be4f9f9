"use client";

import { type ComponentProps, type ReactNode, Suspense, startTransition, useState } from "react";
import { Button } from "./button";
import { lazyPart } from "./lazy-part";
import type { menuIcons } from "./menu-icons";
import type { MenuListProps } from "./menu-list";

const MenuList = lazyPart(() => import("./menu-list").then((module) => module.MenuList), {
  meanwhile: ({ button }) => <Button {...button} aria-haspopup="menu" aria-expanded={false} />,
});
const MenuSearch = lazyPart(() => import("./menu-search").then((module) => module.MenuSearch), {
  isRare: true,
  meanwhile: ({ button }) => <Button {...button} aria-haspopup="dialog" aria-expanded={false} />,
});

/** A menu with more entries than these has a search field, where it can be searched. */
const mostWithoutSearch = 7;

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: keyof typeof menuIcons;
  /** Where the item leads. */
  href?: string;
  /** The address may lead on elsewhere: the browser asks for it, because Next would show it empty first. */
  leadsOn?: true;
  onSelect?: () => void;
  /** For items that can be on or off; the menu stays open. */
  checked?: boolean;
  /** For one choice of several; the menu closes. */
  chosen?: boolean;
  danger?: boolean;
  /** Why the item cannot be chosen now; shown under its label. */
  unavailable?: string | undefined;
  /** Moves the entry by this many places; for `MenuOrder`. */
  onMove?: (by: number) => void;
}

export interface MenuGroup {
  key: string;
  title?: ReactNode;
  items: MenuItem[];
}

export interface MenuProps extends Omit<ComponentProps<typeof Button>, "onSelect"> {
  groups?: MenuGroup[];
  align?: "start" | "end";
  /** What the field is for that searches a long menu, by labels and keys; without it the menu has none. */
  search?: string;
  /** What opens instead of the list of the groups. */
  list?: { show: (opened: Omit<MenuListProps, "groups">) => ReactNode; preload: () => void };
}

/** A button that opens a menu. The menu's code arrives when a pointer or the focus comes near. */
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
