import {
  BookOpen,
  Check,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Sun,
  User,
} from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

/** The icons of menu items. They load with the menu, not with the page that has its button. */
const menuIcons = {
  add: Plus,
  docs: BookOpen,
  key: KeyRound,
  person: User,
  "sign-in": LogIn,
  "sign-out": LogOut,
  "theme-dark": Moon,
  "theme-light": Sun,
  "theme-system": Monitor,
} satisfies Record<string, LucideIcon>;

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: keyof typeof menuIcons;
  /** The address that the item opens. */
  href?: string;
  /** The address may redirect: the browser loads it, because Next would show an empty page first. */
  leadsOn?: true;
  onSelect?: () => void;
  /** For items that can be on or off; the menu stays open. */
  checked?: boolean;
  /** For one choice of several; the menu closes. */
  chosen?: boolean;
  danger?: boolean;
  /** The reason why the item is unavailable; shown under its label. */
  unavailable?: string | undefined;
  /** Moves the entry by this many places; for `MenuOrder`. */
  onMove?: (by: number) => void;
}

export interface MenuGroup {
  key: string;
  title?: ReactNode;
  items: MenuItem[];
}

export const menuLook =
  "enter-rise z-50 min-w-48 max-w-80 overflow-y-auto rounded-card bg-bg p-1 shadow-float";
export const menuTitleLook = "px-2 py-1.5 text-meta text-muted";
export const menuItemLook =
  "flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-control px-2 py-1 text-body outline-none";

/** The content of a menu entry; `choice`: whether it is on, for entries that can be. */
export function MenuItemContent({ item, choice }: { item: MenuItem; choice: boolean | undefined }) {
  const Icon = item.icon && menuIcons[item.icon];
  return (
    <>
      {Icon ? <Icon aria-hidden="true" className="size-4 text-muted" /> : null}
      <span className="min-w-0 flex-1">
        <span className={classNames("block truncate", item.unavailable && "text-muted")}>
          {item.label}
        </span>
        {item.unavailable ? (
          <span className="block text-meta text-muted">{item.unavailable}</span>
        ) : null}
      </span>
      {choice === undefined ? null : (
        <Check
          aria-hidden="true"
          className={classNames("size-4 text-accent", !choice && "invisible")}
        />
      )}
    </>
  );
}
