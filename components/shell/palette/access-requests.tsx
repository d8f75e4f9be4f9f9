"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { UserRoundCheck } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { useAccessRequestsQuery } from "@/components/users/access-requests-query";
import { PaletteItem } from "./item";

const maxShown = 5;
const freshMs = 30_000;

/** What others ask for and the reader may decide: each leads to where it is decided. */
export function PaletteAccessRequests({ go }: { go: (href: string) => void }) {
  const { view } = usePortal();
  const nameOf = useSiteName();
  const enabled = view.permissions.includes("user.manage");
  const { data = [] } = useQuery({ ...useAccessRequestsQuery(), enabled, staleTime: freshMs });
  const waiting = enabled ? data.filter(({ user }) => user.id !== view.user.id) : [];
  if (waiting.length === 0) return null;
  return (
    <Command.Group heading={t("Access asked for")}>
      {waiting.slice(0, maxShown).map(({ id, user, role, site }) => (
        <PaletteItem
          key={id}
          value={`access-request-${id}`}
          keywords={[user.name, user.login, role, t("Access asked for"), t("Decide")]}
          icon={<UserRoundCheck aria-hidden="true" className="size-4 text-muted" />}
          note={site === null ? role : `${role} · ${nameOf(site)}`}
          onSelect={() => go(`/t/${view.tenant}/notices#access-requests`)}
        >
          {t("Decide what {name} asks for", { name: user.name })}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
