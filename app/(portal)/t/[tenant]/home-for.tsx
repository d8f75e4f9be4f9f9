import { roleNames } from "@/app/(portal)/portal-view";
import { attentionFor, recentChangesFor } from "@/app/(portal)/t/[tenant]/attention-for";
import { keyKeys } from "@/components/api-keys/query-keys";
import { Attention } from "@/components/home/attention";
import { Home } from "@/components/home/home";
import { noticesKey } from "@/components/home/query-keys";
import { RecentChanges } from "@/components/home/recent-changes";
import { SavedCharts } from "@/components/home/saved-charts";
import { Traffic } from "@/components/home/traffic";
import { Seed } from "@/components/shell/seed";
import { viewKeys } from "@/components/views/query-keys";
import type { Caller } from "@/lib/access/caller";
import { listLeakedKeys } from "@/lib/features/api-keys/admin-list";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { readUsageSummary } from "@/lib/features/metrics/usage-summary";
import { listNotices } from "@/lib/features/notices/notices";
import { listViews } from "@/lib/features/views/service";
import { chartPage } from "@/lib/features/views/values";

/** The home page with what it shows first. */
export async function homeFor(caller: Caller) {
  const tenant = caller.tenantId;
  const [keys, day, leaked, notices, attention, changes, views] = await Promise.all([
    listApiKeys(caller, { limit: 200 }),
    readUsageSummary(caller),
    listLeakedKeys(caller),
    listNotices(caller),
    attentionFor(caller),
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
          leaked={leaked}
          roles={caller.roles}
          roleNames={roleNames()}
          attention={attention.length > 0 ? <Attention items={attention} /> : null}
          changes={changes.length > 0 ? <RecentChanges tenant={tenant} events={changes} /> : null}
          traffic={day ? <Traffic tenant={tenant} summary={day} /> : null}
        />
      </Seed>
    </Seed>
  );
}
