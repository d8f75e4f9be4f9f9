"use client";

import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";

/** Roles of one user in one tenant, as the contract shapes them. */
export interface TenantRoles {
  roleIds: string[];
  sites: Record<string, { roleIds: string[] }>;
}

/** The roles by name: those of the tenant, then those of each site. */
export function RoleList({
  roles,
  names,
}: {
  roles: TenantRoles | undefined;
  names: Record<string, string>;
}) {
  const nameOf = useSiteName();
  const sites = Object.entries(roles?.sites ?? {}).filter(([, site]) => site.roleIds.length > 0);
  if (!roles || (roles.roleIds.length === 0 && sites.length === 0))
    return <span className="text-muted">{t("No role in this tenant")}</span>;
  return (
    <div className="flex flex-col gap-2">
      {roles.roleIds.length > 0 ? (
        <Roles
          where={sites.length > 0 ? t("Whole tenant") : undefined}
          ids={roles.roleIds}
          names={names}
        />
      ) : null}
      {sites.map(([site, { roleIds }]) => (
        <Roles
          key={site}
          where={t("Site {site}", { site: nameOf(site) })}
          ids={roleIds}
          names={names}
        />
      ))}
    </div>
  );
}

function Roles({
  where,
  ids,
  names,
}: {
  where: string | undefined;
  ids: string[];
  names: Record<string, string>;
}) {
  return (
    <div>
      {where ? <p className="mb-1 text-meta text-muted">{where}</p> : null}
      <ul className="flex flex-wrap gap-1.5">
        {ids.map((id) => (
          <li key={id} title={id}>
            <Badge tone={id === "tenant.admin" ? "accent" : "neutral"}>{names[id] ?? id}</Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}
