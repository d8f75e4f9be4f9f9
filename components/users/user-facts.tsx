import { t } from "@/components/texts/t";
import { Facts } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import type { User } from "@/lib/features/users/contract";
import { EmailFact } from "./email-fact";
import { LoginText } from "./login-text";
import { RoleList } from "./role-list";

interface UserFactsProps {
  user: User;
  tenant: string;
  roleNames: Record<string, string>;
  /** Whether it is the user's own page, which offers a link to confirm the address. */
  isOwn?: boolean;
}

export function UserFacts({ user, tenant, roleNames, isOwn = false }: UserFactsProps) {
  return (
    <Facts
      facts={[
        { name: t("Name"), value: user.name },
        { name: t("Login"), value: <LoginText login={user.login} /> },
        { name: t("E-mail"), value: <EmailFact user={user} isOwn={isOwn} /> },
        {
          name: t("User id"),
          value: (
            <>
              <code className="break-all text-meta">{user.id}</code>
              <CopyButton text={user.id} label={t("Copy user id")} />
            </>
          ),
        },
        { name: t("Home tenant"), value: user.tenant },
        { name: t("Registered"), value: <Instant at={user.registrationDate} form="full" /> },
        {
          name: t("Last sign-in"),
          value: user.lastLoginAt ? <Instant at={user.lastLoginAt} form="full" /> : t("never"),
        },
        { name: t("Roles"), value: <RoleList roles={user.userRoles[tenant]} names={roleNames} /> },
      ]}
    />
  );
}
