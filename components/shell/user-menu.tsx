"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTheme } from "next-themes";
import { usePreferences } from "@/components/preferences/preferences";
import { msg, t } from "@/components/texts/t";
import type { MenuGroup } from "@/components/ui/menu/item";
import { Menu } from "@/components/ui/menu/menu";
import { usePortal } from "./portal";
import { signOut } from "./sign-out";

const themes = [
  { key: "light", label: msg("Light"), icon: "theme-light" },
  { key: "dark", label: msg("Dark"), icon: "theme-dark" },
  { key: "system", label: msg("System"), icon: "theme-system" },
] as const;

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return `${words[0]?.[0] ?? "?"}${words.length > 1 ? (words.at(-1)?.[0] ?? "") : ""}`.toUpperCase();
}

/** The sign-out items: from this service, and also from the identity provider of the session. */
function useLeaving(): MenuGroup {
  const { provider } = usePortal().view;
  const queries = useQueryClient();
  const leave = (key: string, label: string, providerId?: string) => ({
    ...{ key, label, icon: "sign-out" as const },
    onSelect: () => void signOut(queries, providerId),
  });
  const there = provider
    ? [leave("out-there", t("Sign out here and at {name}", { name: provider.name }), provider.id)]
    : [];
  return { key: "leave", items: [leave("out", t("Sign out")), ...there] };
}

function useGroups(): MenuGroup[] {
  const { view } = usePortal();
  const { theme } = useTheme();
  const { change } = usePreferences();
  const me = `/t/${view.tenant}/me`;
  return [
    {
      key: "me",
      title: `${view.user.name} · ${view.user.login}`,
      items: [
        { key: "details", label: t("Your details"), href: me, icon: "person" },
        {
          key: "key",
          label: t("Generate API key"),
          href: `${me}?generate=1#api-keys`,
          icon: "key",
        },
        { key: "docs", label: t("Reference"), href: "/docs", icon: "docs" },
      ],
    },
    {
      key: "theme",
      title: t("Theme"),
      items: themes.map(({ key, label, icon }) => ({
        key,
        label: t(label),
        icon,
        chosen: theme === key,
        onSelect: () => void change({ theme: key }),
      })),
    },
    useLeaving(),
  ];
}

export function UserMenu() {
  const { view } = usePortal();
  return (
    <Menu tone="quiet" size="icon" className="rounded-full" groups={useGroups()}>
      <span
        aria-hidden="true"
        className="grid size-7 place-items-center rounded-full bg-accent-bg text-meta font-semibold text-accent"
      >
        {initials(view.user.name)}
      </span>
      <span className="sr-only">{t("{name}: account and settings", { name: view.user.name })}</span>
    </Menu>
  );
}
