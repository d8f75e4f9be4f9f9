import { heldBy, roleNames } from "@/app/(portal)/portal-view";
import { factsFor, recentChangesFor } from "@/app/(portal)/t/[tenant]/facts-for";
import { keyKeys } from "@/components/api-keys/query-keys";
import { Home } from "@/components/home/home";
import { NoticesPage } from "@/components/home/notices-card";
import { noticesKey } from "@/components/home/query-keys";
import { RecentChanges } from "@/components/home/recent-changes";
import { SavedCharts } from "@/components/home/saved-charts";
import { Traffic } from "@/components/home/traffic";
import { Seed } from "@/components/shell/seed";
import { viewKeys } from "@/components/views/query-keys";
import type { Caller } from "@/lib/access/caller";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { readUsageSummary } from "@/lib/features/metrics/usage-summary";
import { listNotices } from "@/lib/features/notices/notices";
import { listViews } from "@/lib/features/views/service";
import { chartPage } from "@/lib/features/views/values";

/** The home page with what it shows first. */
export async function homeFor(caller: Caller) {
  const tenant = caller.tenantId;
  const [keys, day, facts, notices, changes, views] = await Promise.all([
    listApiKeys(caller, { limit: 200 }),
    readUsageSummary(caller),
    factsFor(caller),
    listNotices(caller),
    recentChangesFor(caller),
    listViews(caller, { page: chartPage }),
  ]);
  return (
    <Seed queryKey={keyKeys.own(tenant)} data={keys.items}>
      <Seed queryKey={noticesKey(tenant)} data={notices}>
        <Home
          charts={
            day ? (
              <Seed queryKey={viewKeys.list(tenant, chartPage)} data={views}>
                <SavedCharts />
              </Seed>
            ) : null
          }
          facts={facts}
          roles={caller.roles}
          roleNames={roleNames()}
          changes={
            changes.length > 0 ? (
              <RecentChanges
                place={{ tenant, permissions: [...heldBy(caller)] }}
                events={changes}
              />
            ) : null
          }
          traffic={day ? <Traffic tenant={tenant} summary={day} /> : null}
        />
      </Seed>
    </Seed>
  );
}

/** The page of all notices. */
export async function noticesFor(caller: Caller) {
  const tenant = caller.tenantId;
  const [keys, facts, notices] = await Promise.all([
    listApiKeys(caller, { limit: 200 }),
    factsFor(caller),
    listNotices(caller),
  ]);
  return (
    <Seed queryKey={keyKeys.own(tenant)} data={keys.items}>
      <Seed queryKey={noticesKey(tenant)} data={notices}>
        <NoticesPage facts={facts} />
      </Seed>
    </Seed>
  );
}
