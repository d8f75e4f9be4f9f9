"use client";

import { Download } from "lucide-react";
import { KeysSection } from "@/components/api-keys/keys-section";
import type { CallableOperation } from "@/components/api-keys/what-it-can-call";
import { LinkedProviders } from "@/components/connections/linked-providers";
import { PreferencesSection } from "@/components/preferences/preferences-section";
import { SecondFactorsSection } from "@/components/second-factors/second-factors-section";
import { PasswordSection } from "@/components/sessions/password-section";
import { SessionsSection } from "@/components/sessions/sessions-section";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { downloadText } from "@/components/ui/download-text";
import { CallFailed } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { PageHeader } from "@/components/ui/page-header";
import type { User } from "@/lib/features/users/contract";
import { UserFacts } from "./user-facts";
import { UserStatus } from "./user-status";

/** Exports the data that this tenant stores about the user. */
function ExportOwnData() {
  const { view, call } = usePortal();
  const { busy, error, run } = useAction(async () => {
    const records = await call("GET /v1/user/profile/export", {});
    const text = JSON.stringify(records, null, 2);
    downloadText(text, `${view.tenant}-my-data.json`, "application/json");
  });
  return (
    <Card
      id="my-data"
      title={t("Your data")}
      description={t(
        "Your profile, roles, preferences, sessions, API keys without secrets, comments on previews, and the audit entries by and about you, as a JSON file.",
      )}
    >
      <Button
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={busy}
        onClick={() => void run()}
      >
        {t("Export your data")}
      </Button>
      {error ? (
        <div className="mt-4">
          <CallFailed title={t("Your data was not exported")} error={error} />
        </div>
      ) : null}
    </Card>
  );
}

interface OwnDetailsProps {
  user: User;
  roleNames: Record<string, string>;
  callable: CallableOperation[];
}

/** The user's own details: profile, API keys, sessions, password. */
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
