"use client";

import { type ComponentProps, type ReactNode, Suspense, startTransition, useState } from "react";
import { Button } from "./button";
import { lazyPart } from "./lazy-part";
import type { menuIcons } from "./menu-icons";

const MenuList = lazyPart(() => import("./menu-list").then((module) => module.MenuList), {
  meanwhile: ({ button }) => <Button {...button} aria-haspopup="menu" aria-expanded={false} />,
});

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: keyof typeof menuIcons;
  /** Where the item leads. */
  href?: string;
  onSelect?: () => void;
  /** For items that can be on or off; the menu stays open. */
  checked?: boolean;
  /** For one choice of several; the menu closes. */
  chosen?: boolean;
  danger?: boolean;
  /** Why the item cannot be chosen now; shown under its label. */
  unavailable?: string | undefined;
}

export interface MenuGroup {
  key: string;
  title?: ReactNode;
  items: MenuItem[];
}

export interface MenuProps extends Omit<ComponentProps<typeof Button>, "onSelect"> {
  groups: MenuGroup[];
  align?: "start" | "end";
}

/** A button that opens a menu. The menu's code arrives when a pointer or the focus comes near. */
export function Menu({ groups, align = "end", ...button }: MenuProps) {
  const [wanted, setWanted] = useState<"keyboard" | "pointer">();
  const open = (by: "keyboard" | "pointer") => startTransition(() => setWanted(by));
  const trigger = (
    <Button
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={MenuList.preload}
      onFocus={MenuList.preload}
      onClick={(event) => open(event.detail === 0 ? "keyboard" : "pointer")}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open("keyboard");
      }}
    />
  );
  if (!wanted) return trigger;
  return (
    <Suspense fallback={trigger}>
      <MenuList groups={groups} align={align} button={button} byKeyboard={wanted === "keyboard"} />
    </Suspense>
  );
}
