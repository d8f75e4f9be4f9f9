import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import type { User } from "@/lib/features/users/contract";
import { RoleList } from "./role-list";

interface UserFactsProps {
  user: User;
  tenant: string;
  roleNames: Record<string, string>;
}

export function UserFacts({ user, tenant, roleNames }: UserFactsProps) {
  return (
    <Facts
      facts={[
        { name: "Name", value: user.name },
        { name: "Login", value: user.login },
        { name: "E-mail", value: user.emailAddress },
        {
          name: "User id",
          value: (
            <>
              <code className="break-all text-meta">{user.id}</code>
              <CopyButton text={user.id} label="Copy user id" />
            </>
          ),
        },
        { name: "Home tenant", value: user.tenant },
        { name: "Registered", value: <Instant at={user.registrationDate} form="full" /> },
        {
          name: "Last sign-in",
          value: user.lastLoginAt ? <Instant at={user.lastLoginAt} form="full" /> : "never",
        },
        { name: "Roles", value: <RoleList roles={user.userRoles[tenant]} names={roleNames} /> },
      ]}
    />
  );
}
