"use client";

import { useQueryClient } from "@tanstack/react-query";
import { BookOpen, KeyRound, LogOut, Monitor, Moon, Sun, User } from "lucide-react";
import { useTheme } from "next-themes";
import { usePreferences } from "@/components/preferences/preferences";
import { Menu } from "@/components/ui/menu";
import { usePortal } from "./portal";
import { signOut } from "./sign-out";

const icon = "size-4 text-muted";
const themes = [
  { key: "light", label: "Light", icon: <Sun aria-hidden="true" className={icon} /> },
  { key: "dark", label: "Dark", icon: <Moon aria-hidden="true" className={icon} /> },
  { key: "system", label: "System", icon: <Monitor aria-hidden="true" className={icon} /> },
] as const;

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return `${words[0]?.[0] ?? "?"}${words.length > 1 ? (words.at(-1)?.[0] ?? "") : ""}`.toUpperCase();
}

export function UserMenu() {
  const { view } = usePortal();
  const { theme } = useTheme();
  const { change } = usePreferences();
  const queries = useQueryClient();
  const me = `/t/${view.tenant}/me`;
  return (
    <Menu
      tone="quiet"
      size="icon"
      className="rounded-full"
      groups={[
        {
          key: "me",
          title: `${view.user.name} · ${view.user.login}`,
          items: [
            {
              key: "details",
              label: "Your details",
              href: me,
              icon: <User aria-hidden="true" className={icon} />,
            },
            {
              key: "key",
              label: "Generate API key",
              href: `${me}?generate=1#api-keys`,
              icon: <KeyRound aria-hidden="true" className={icon} />,
            },
            {
              key: "docs",
              label: "Reference",
              href: "/docs",
              icon: <BookOpen aria-hidden="true" className={icon} />,
            },
          ],
        },
        {
          key: "theme",
          title: "Theme",
          items: themes.map((one) => ({
            ...one,
            chosen: theme === one.key,
            onSelect: () => void change({ theme: one.key }),
          })),
        },
        {
          key: "leave",
          items: [
            {
              key: "out",
              label: "Sign out",
              icon: <LogOut aria-hidden="true" className={icon} />,
              onSelect: () => void signOut(queries),
            },
          ],
        },
      ]}
    >
      <span
        aria-hidden="true"
        className="grid size-7 place-items-center rounded-full bg-accent-bg text-meta font-semibold text-accent"
      >
        {initials(view.user.name)}
      </span>
      <span className="sr-only">{view.user.name}: account and settings</span>
    </Menu>
  );
}
