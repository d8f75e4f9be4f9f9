import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import type { User } from "@/lib/features/users/contract";
import { UserFacts } from "./user-facts";

interface UserDetailsProps {
  user: User;
  tenant: string;
  roleNames: Record<string, string>;
}

/** A user's profile as a manager sees it. */
export function UserDetails({ user, tenant, roleNames }: UserDetailsProps) {
  return (
    <div className="flex flex-col gap-6">
      {user.lock ? (
        <Notice tone="warning">
          Locked{user.lockReason ? `: ${user.lockReason}` : ""}.{" "}
          {user.lockedUntil ? (
            <>
              The lock ends <Instant at={user.lockedUntil} form="full" />.
            </>
          ) : (
            "Sessions, keys and tokens are rejected until someone unlocks the user."
          )}
        </Notice>
      ) : null}
      <Card id="profile" title="Profile">
        <UserFacts user={user} tenant={tenant} roleNames={roleNames} />
      </Card>
    </div>
  );
}
