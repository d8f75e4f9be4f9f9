"use client";

import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import type { TenantRoles } from "./role-list";

/** The first role by name, and how many more there are: all of them in the title. */
export function RoleCount({
  roles,
  names,
}: {
  roles: TenantRoles | undefined;
  names: Record<string, string>;
}) {
  const nameOf = useSiteName();
  const weight = (id: string) => (id === "tenant.admin" ? 0 : id === "portal.default" ? 2 : 1);
  const atTenant = [...(roles?.roleIds ?? [])].sort((a, b) => weight(a) - weight(b));
  const atSites = Object.entries(roles?.sites ?? {}).flatMap(([site, { roleIds }]) =>
    roleIds.map((id) => ({ site, id })),
  );
  const words = [
    ...atTenant.map((id) => names[id] ?? id),
    ...atSites.map(({ site, id }) =>
      t("{role} at {place}", { role: names[id] ?? id, place: nameOf(site) }),
    ),
  ];
  const [first, ...rest] = words;
  if (!first) return <span className="text-muted">{t("none")}</span>;
  return (
    <span
      title={words.join("\n")}
      className="inline-flex max-w-[min(16rem,100%)] items-center gap-1"
    >
      <Badge tone={atTenant[0] === "tenant.admin" ? "accent" : "neutral"}>
        <span className="truncate">{first}</span>
      </Badge>
      {rest.length > 0 ? (
        <span className="figures text-meta text-muted">+{rest.length}</span>
      ) : null}
    </span>
  );
}
