"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { cellOf, wholeTenant } from "./access-changes";
import { userKeys } from "./query-keys";
import { RoleList } from "./role-list";

/** The groups of identity providers that grant the user roles; only fetched for managers of users. */
function useGroupRolesQuery(userId: string, site: string | undefined) {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: userKeys.groupRoles(view.tenant, userId, site),
    queryFn: ({ signal }) =>
      call("GET /v1/user/{id}/group-roles", { site, params: { id: userId }, signal }),
    enabled: view.permissions.includes("user.manage"),
  });
}

/** The group that grants a role at a place; such a role cannot be removed here. */
export function useGroupOf(userId: string, site: string | undefined) {
  const { data = [] } = useQuery(useGroupRolesQuery(userId, site));
  const groups = new Map<string, string>();
  for (const { group, roles } of data)
    for (const [place, roleIds] of [
      [wholeTenant, roles.roleIds] as const,
      ...Object.entries(roles.sites).map(([id, one]) => [id, one.roleIds] as const),
    ])
      for (const roleId of roleIds) groups.set(cellOf(place, roleId), group);
  return (place: string, roleId: string) => groups.get(cellOf(place, roleId));
}

interface GroupRolesCardProps {
  userId: string;
  site: string | undefined;
  roleNames: Record<string, string>;
}

/** The roles that the user has by groups; renders nothing without any. */
export function GroupRolesCard({ userId, site, roleNames }: GroupRolesCardProps) {
  const { data = [] } = useQuery(useGroupRolesQuery(userId, site));
  if (data.length === 0) return null;
  return (
    <Card
      id="group-roles"
      title={t("Roles by groups")}
      description={t("They follow the identity provider and cannot be changed here.")}
    >
      <ul className="flex flex-col gap-3">
        {data.map(({ connection, group, roles }) => (
          <li key={`${connection.id} ${group}`} className="flex flex-col gap-1 text-body">
            <p className="wrap-anywhere">
              <span className="font-medium">{group}</span>{" "}
              <span className="text-muted">{connection.name}</span>
            </p>
            <RoleList roles={roles} names={roleNames} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
