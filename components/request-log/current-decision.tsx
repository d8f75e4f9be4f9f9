"use client";

import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t, translated } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { buttonLook } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { roles, rolesWith } from "@/lib/access/roles";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";

/** A link to the caller's roles, for users who may change them. */
function RolesLink({ userId }: { userId: string }) {
  const { view } = usePortal();
  if (!view.permissions.includes("user.manage")) return null;
  return (
    <Link
      href={`/t/${view.tenant}/users/${userId}/access`}
      className={buttonLook("primary", "small")}
    >
      {t("Change roles")}
    </Link>
  );
}

type Explanation = NonNullable<RefusedRequestDetails["now"]>;

/** Whether the same caller would be allowed today, with the missing permission and a link to grant it. */
export function CurrentDecision({ now, userId }: { now: Explanation; userId: string | undefined }) {
  const { allowed, because, missing, blockedBy } = now;
  return (
    <Card
      id="now"
      title={t("Today")}
      description={
        allowed
          ? t("The same caller is allowed to do this now.")
          : t("The same caller would be rejected now.")
      }
      actions={!allowed && missing.length > 0 && userId ? <RolesLink userId={userId} /> : null}
    >
      <ul className="flex flex-col gap-2 text-body">
        {because.map(({ detail }) => (
          <li key={detail}>{translated(detail)}</li>
        ))}
        {missing.map((permission) => (
          <li key={permission} className="flex flex-wrap items-center gap-1.5">
            <span>
              {rich("Missing {permission}, given by", {
                permission: <code className="text-meta">{permission}</code>,
              })}
            </span>
            <Givers permission={permission} />
          </li>
        ))}
        {blockedBy.map(({ code, detail }) => (
          <li key={code}>
            {translated(detail)} <code className="text-meta text-muted">{code}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Givers({ permission }: { permission: string }) {
  const giving = rolesWith(permission as Parameters<typeof rolesWith>[0]).slice(0, 4);
  return (
    <>
      {giving.map((role) => (
        <Badge key={role}>{translated(roles[role].name)}</Badge>
      ))}
    </>
  );
}
