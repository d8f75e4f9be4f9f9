import { roleNames } from "@/app/(portal)/portal-view";
import { attentionFor, recentChangesFor } from "@/app/(portal)/t/[tenant]/attention-for";
import { keyKeys } from "@/components/api-keys/query-keys";
import { Attention } from "@/components/home/attention";
import { Home } from "@/components/home/home";
import { noticesKey } from "@/components/home/query-keys";
import { RecentChanges } from "@/components/home/recent-changes";
import { Traffic } from "@/components/home/traffic";
import { Seed } from "@/components/shell/seed";
import type { Caller } from "@/lib/access/caller";
import { listLeakedKeys } from "@/lib/features/api-keys/admin-list";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { readUsageSummary } from "@/lib/features/metrics/usage-summary";
import { listNotices } from "@/lib/features/notices/notices";

/** The home page with what it shows first. */
export async function homeFor(caller: Caller) {
  const tenant = caller.tenantId;
  const [keys, day, leaked, notices, attention, changes] = await Promise.all([
    listApiKeys(caller, { limit: 200 }),
    readUsageSummary(caller),
    listLeakedKeys(caller),
    listNotices(caller),
    attentionFor(caller),
    recentChangesFor(caller),
  ]);
  return (
    <Seed queryKey={keyKeys.own(tenant)} data={keys.items}>
      <Seed queryKey={noticesKey(tenant)} data={notices}>
        <Home
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
