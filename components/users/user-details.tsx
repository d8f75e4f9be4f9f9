import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import type { User } from "@/lib/features/users/contract";
import { GroupRolesCard } from "./group-roles";
import { UserFacts } from "./user-facts";

interface UserDetailsProps {
  user: User;
  tenant: string;
  roleNames: Record<string, string>;
  /** The site of the caller's permission to manage users. */
  site: string | undefined;
}

/** A user's profile as a manager sees it. */
export function UserDetails({ user, tenant, roleNames, site }: UserDetailsProps) {
  return (
    <div className="flex flex-col gap-6">
      {user.lock ? (
        <Notice tone="warning">
          {user.lockReason ? t("Locked: {reason}.", { reason: user.lockReason }) : t("Locked.")}{" "}
          {user.lockedUntil
            ? rich("The lock ends {when}.", {
                when: <Instant at={user.lockedUntil} form="full" />,
              })
            : t("Sessions, keys and tokens are rejected until someone unlocks the user.")}
        </Notice>
      ) : null}
      <Card id="profile" title={t("Profile")}>
        <UserFacts user={user} tenant={tenant} roleNames={roleNames} />
      </Card>
      <GroupRolesCard userId={user.id} site={site} roleNames={roleNames} />
    </div>
  );
}
