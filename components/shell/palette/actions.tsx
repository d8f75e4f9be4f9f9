"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ArrowRight, BookOpen, ChartLine, KeyRound, Lock, LogOut, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { usePreferences } from "@/components/preferences/preferences";
import { usePortal } from "@/components/shell/portal";
import { signOut } from "@/components/shell/sign-out";
import { t } from "@/components/texts/t";
import { Kbd } from "@/components/ui/kbd";
import { PaletteCopies } from "./copies";
import { generateKeyAddress } from "./create";
import { byLetter, PaletteItem } from "./item";

const icon = "size-4 text-muted";

interface PaletteActionsProps {
  close: () => void;
  /** Opens an address unchanged; `go` adds the site. */
  open: (href: string) => void;
  go: (href: string) => void;
}

export function PaletteActions({ close, open, go }: PaletteActionsProps) {
  const { view } = usePortal();
  const queries = useQueryClient();
  return (
    <>
      <Command.Group heading={t("Do")}>
        <PaletteItem
          value="generate-key"
          keywords={[t("Generate API key"), "new", "create", byLetter("K")]}
          icon={<KeyRound aria-hidden="true" className={icon} />}
          note={<Kbd>K</Kbd>}
          onSelect={() => open(generateKeyAddress(view))}
        >
          {t("Generate API key")}
        </PaletteItem>
        {view.kind === "sandbox" && view.permissions.includes("api-metric.read") ? (
          <PaletteItem
            value="sample-traffic"
            keywords={[t("Sample traffic"), "sample", "demo", "add", "remove"]}
            icon={<ChartLine aria-hidden="true" className={icon} />}
            onSelect={() => open(`/t/${view.tenant}/metrics?sample=true`)}
          >
            {t("Sample traffic")}
          </PaletteItem>
        ) : null}
        <PaletteCopies close={close} />
        <ThemeItem close={close} />
        <PaletteItem
          value="sign-out"
          icon={<LogOut aria-hidden="true" className={icon} />}
          onSelect={() => void signOut(queries)}
        >
          {t("Sign out")}
        </PaletteItem>
        {view.provider ? <SignOutThere {...view.provider} /> : null}
      </Command.Group>
      <PalettePages go={go} />
    </>
  );
}

/** Also ends the session at the identity provider of the sign-in. */
function SignOutThere({ id, name }: { id: string; name: string }) {
  const queries = useQueryClient();
  return (
    <PaletteItem
      value="sign-out-there"
      icon={<LogOut aria-hidden="true" className={icon} />}
      onSelect={() => void signOut(queries, id)}
    >
      {t("Sign out here and at {name}", { name })}
    </PaletteItem>
  );
}

function ThemeItem({ close }: Pick<PaletteActionsProps, "close">) {
  const { resolvedTheme } = useTheme();
  const { change } = usePreferences();
  const otherTheme = resolvedTheme === "dark" ? "light" : "dark";
  const Icon = otherTheme === "dark" ? Moon : Sun;
  return (
    <PaletteItem
      value="theme"
      keywords={["theme", "dark", "light", "mode"]}
      icon={<Icon aria-hidden="true" className={icon} />}
      onSelect={() => {
        void change({ theme: otherTheme });
        close();
      }}
    >
      {otherTheme === "dark" ? t("Use the dark theme") : t("Use the light theme")}
    </PaletteItem>
  );
}

/** The pages of the portal; those that the user may not open name the missing permission. */
function PalettePages({ go }: Pick<PaletteActionsProps, "go">) {
  const { view } = usePortal();
  return (
    <Command.Group heading={t("Go to")}>
      {view.navigation.map((entry) => (
        <PaletteItem
          key={entry.key}
          value={`go-${entry.key}`}
          keywords={[entry.label, byLetter(entry.letter)]}
          icon={<ArrowRight aria-hidden="true" className={`${icon} rtl:-scale-x-100`} />}
          onSelect={() => go(entry.href)}
        >
          {entry.label}
        </PaletteItem>
      ))}
      <PaletteItem
        value="notices"
        keywords={[t("Notices"), "notifications"]}
        icon={<ArrowRight aria-hidden="true" className={`${icon} rtl:-scale-x-100`} />}
        onSelect={() => go(`/t/${view.tenant}/notices`)}
      >
        {t("Notices")}
      </PaletteItem>
      <PaletteItem
        value="docs"
        keywords={[t("Reference"), "docs", "api"]}
        icon={<BookOpen aria-hidden="true" className={icon} />}
        onSelect={() => go("/docs")}
      >
        {t("Reference")}
      </PaletteItem>
      {view.locked.map((entry) => (
        <PaletteItem
          key={entry.key}
          value={`locked-${entry.key}`}
          keywords={[entry.label]}
          disabled
          icon={<Lock aria-hidden="true" className={icon} />}
          note={t("needs {permission}, given by {role}", {
            permission: entry.permission,
            role: entry.role,
          })}
        >
          {entry.label}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
