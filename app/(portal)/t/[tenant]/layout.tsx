import { viewOf } from "@/app/(portal)/portal-view";
import { AppShell } from "@/components/shell/app-shell";
import { findPortalCaller } from "@/lib/features/portal/portal";
import { isRejection } from "@/lib/protocol/errors";

/** Without a caller there is no shell: the page itself then redirects to sign-in or shows the reason. */
export default async function TenantLayout({ children, params }: LayoutProps<"/t/[tenant]">) {
  const { tenant } = await params;
  try {
    const view = await viewOf(await findPortalCaller({ tenant }));
    return <AppShell view={view}>{children}</AppShell>;
  } catch (error) {
    if (!isRejection(error)) throw error;
    return <main className="px-4">{children}</main>;
  }
}
