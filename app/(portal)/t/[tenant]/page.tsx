import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { roleNames } from "@/app/(portal)/portal-view";
import { keyKeys } from "@/components/api-keys/query-keys";
import { Home } from "@/components/home/home";
import { Traffic } from "@/components/home/traffic";
import { Seed } from "@/components/shell/seed";
import { listLeakedKeys } from "@/lib/features/api-keys/admin-list";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { readUsageSummary } from "@/lib/features/metrics/usage-summary";
import { listNotices } from "@/lib/features/notices/notices";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ params }: PageProps<"/t/[tenant]">) {
  const { tenant } = await params;
  return portalPage({ tenant, path: `/t/${tenant}` }, async (caller) => {
    const [keys, day, leaked, notices] = await Promise.all([
      listApiKeys(caller, { limit: 200 }),
      readUsageSummary(caller),
      listLeakedKeys(caller),
      listNotices(caller),
    ]);
    return (
      <Seed queryKey={keyKeys.own(tenant)} data={keys.items}>
        <Seed queryKey={[tenant, "notices"]} data={notices}>
          <Home
            leaked={leaked}
            roles={caller.roles}
            roleNames={roleNames()}
            traffic={day ? <Traffic tenant={tenant} summary={day} /> : null}
          />
        </Seed>
      </Seed>
    );
  });
}
