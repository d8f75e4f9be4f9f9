"use client";

import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";

interface PlaceRoles {
  roleIds: string[];
  /** The ends of roles; null in a request means no end. */
  expiresAt?: Record<string, string | null> | undefined;
}

/** Roles of one user in one tenant, in the contract's format. */
export type TenantRoles = PlaceRoles & { sites: Record<string, PlaceRoles> };

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
          ends={roles.expiresAt}
          names={names}
        />
      ) : null}
      {sites.map(([site, { roleIds, expiresAt }]) => (
        <Roles
          key={site}
          where={t("Site {site}", { site: nameOf(site) })}
          ids={roleIds}
          ends={expiresAt}
          names={names}
        />
      ))}
    </div>
  );
}

function Roles({
  where,
  ids,
  ends,
  names,
}: {
  where: string | undefined;
  ids: string[];
  ends: PlaceRoles["expiresAt"];
  names: Record<string, string>;
}) {
  return (
    <div>
      {where ? <p className="mb-1 text-meta text-muted">{where}</p> : null}
      <ul className="flex flex-wrap gap-1.5">
        {ids.map((id) => (
          <li key={id} title={id}>
            <Badge tone={id === "tenant.admin" ? "accent" : "neutral"}>{names[id] ?? id}</Badge>
            {ends?.[id] ? (
              <span className="ms-1.5 text-meta text-muted">
                {rich("ends {when}", { when: <Instant at={ends[id]} form="full" /> })}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
