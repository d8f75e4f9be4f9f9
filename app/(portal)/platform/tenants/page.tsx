import { platformCaller } from "@/app/(portal)/platform/platform-caller";
import { viewOf } from "@/app/(portal)/portal-view";
import { titled } from "@/app/titled";
import { AccessDenied } from "@/components/shell/access-denied";
import { AppShell } from "@/components/shell/app-shell";
import { TenantsView } from "@/components/tenants/tenants-view";
import { msg, t } from "@/components/texts/t";

export const generateMetadata = titled(msg("Tenants"));

export default async function TenantsPage() {
  const caller = await platformCaller("/platform/tenants");
  if (!caller) {
    return (
      <main className="px-4">
        <AccessDenied
          detail={t("Tenants are created by platform users. Sign in as one of them.")}
          permission={undefined}
          roles={[]}
          home="/"
        />
      </main>
    );
  }
  return (
    <AppShell view={await viewOf(caller)}>
      <TenantsView />
    </AppShell>
  );
}
