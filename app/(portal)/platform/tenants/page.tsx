import type { Metadata } from "next";
import { platformCaller } from "@/app/(portal)/platform/platform-caller";
import { viewOf } from "@/app/(portal)/portal-view";
import { AccessDenied } from "@/components/shell/access-denied";
import { AppShell } from "@/components/shell/app-shell";
import { TenantsView } from "@/components/tenants/tenants-view";

export const metadata: Metadata = { title: "Tenants" };

export default async function TenantsPage() {
  const caller = await platformCaller("/platform/tenants");
  if (!caller) {
    return (
      <main className="px-4">
        <AccessDenied
          detail="Tenants are created by platform users. Sign in as one of them."
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
