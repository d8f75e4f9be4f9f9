import {
  BookOpen,
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

/** The icons of menu items. They load with the menu, not with the page that has its button. */
export const menuIcons = {
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
