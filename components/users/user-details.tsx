import Link from "next/link";
import { buttonLook } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import type { User } from "@/lib/users/contract";
import { UserFacts } from "./user-facts";
import { UserStatus } from "./user-status";

interface UserDetailsProps {
  user: User;
  tenant: string;
  roleNames: Record<string, string>;
  isSelf: boolean;
}

/** A user as a manager sees it. */
export function UserDetails({ user, tenant, roleNames, isSelf }: UserDetailsProps) {
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-2 text-body text-muted">
        <Link href={`/t/${tenant}/users`} className="rounded-control hover:text-text">
          Users
        </Link>
        <span aria-hidden="true"> / </span>
        <span aria-current="page">{user.name}</span>
      </nav>
      <PageHeader
        title={user.name}
        lead={`${user.login} in ${tenant}`}
        actions={
          <div className="flex items-center gap-3">
            <UserStatus user={user} />
            {isSelf ? (
              <Link href={`/t/${tenant}/me`} className={buttonLook("secondary")}>
                Open your details
              </Link>
            ) : null}
          </div>
        }
      />
      <Card id="profile" title="Profile">
        <UserFacts user={user} tenant={tenant} roleNames={roleNames} />
      </Card>
    </>
  );
}
