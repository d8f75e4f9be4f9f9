"use client";

import { KeysSection } from "@/components/api-keys/keys-section";
import type { CallableOperation } from "@/components/api-keys/what-it-can-call";
import { LinkedProviders } from "@/components/connections/linked-providers";
import { PreferencesSection } from "@/components/preferences/preferences-section";
import { SecondFactorsSection } from "@/components/second-factors/second-factors-section";
import { PasswordSection } from "@/components/sessions/password-section";
import { SessionsSection } from "@/components/sessions/sessions-section";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import type { User } from "@/lib/features/users/contract";
import { ExportOwnData } from "./export-own-data";
import { UserFacts } from "./user-facts";
import { UserStatus } from "./user-status";

interface OwnDetailsProps {
  user: User;
  roleNames: Record<string, string>;
  callable: CallableOperation[];
}

/** One's own user details: profile, API keys, sessions, password. */
export function OwnDetails({ user, roleNames, callable }: OwnDetailsProps) {
  const { view } = usePortal();
  return (
    <>
      <PageHeader
        title={user.name}
        lead={t("{login} in {tenantName}", { login: user.login, tenantName: view.tenantName })}
        actions={<UserStatus user={user} />}
      />
      <div className="flex flex-col gap-6">
        <KeysSection callable={callable} />
        <Card id="profile" title={t("Profile")}>
          <UserFacts user={user} tenant={view.tenant} roleNames={roleNames} isOwn />
        </Card>
        <SessionsSection home={user.tenant} />
        <PreferencesSection />
        <PasswordSection home={user.tenant} />
        <SecondFactorsSection home={user.tenant} />
        <LinkedProviders home={user.tenant} />
        <ExportOwnData />
      </div>
    </>
  );
}
