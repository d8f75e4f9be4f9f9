import { heldBy, readersZone, roleNames } from "@/app/(portal)/portal-view";
import { factsFor, recentChangesFor } from "@/app/(portal)/t/[tenant]/facts-for";
import { keyKeys } from "@/components/api-keys/query-keys";
import { Home } from "@/components/home/home";
import { NoticesPage } from "@/components/home/notices-card";
import { noticesKey } from "@/components/home/query-keys";
import { RecentChanges } from "@/components/home/recent-changes";
import { SavedCharts } from "@/components/home/saved-charts";
import { Traffic } from "@/components/home/traffic";
import { titleOf } from "@/components/metrics/markers";
import { Seed } from "@/components/shell/seed";
import { userKeys } from "@/components/users/query-keys";
import { viewKeys } from "@/components/views/query-keys";
import type { Caller } from "@/lib/access/caller";
import { describeKeys } from "@/lib/access/key-descriptions";
import { listApiKeys } from "@/lib/features/api-keys/service";
import type { Marker } from "@/lib/features/metrics/markers/contract";
import { listMarkers } from "@/lib/features/metrics/markers/service";
import { findSample, toSampleTraffic } from "@/lib/features/metrics/sample-rows";
import { readUsageSummary, type UsageSummary } from "@/lib/features/metrics/usage-summary";
import { listNotices } from "@/lib/features/notices/notices";
import { listAccessRequests } from "@/lib/features/users/access-requests";
import { getPreferences } from "@/lib/features/users/rows";
import { listViews } from "@/lib/features/views/service";
import { chartPage } from "@/lib/features/views/values";

/** The home page with its initial data. */
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
          traffic={day ? await trafficFor(caller, day) : null}
          sample={day && day.byPrograms === 0 ? await sampleFor(caller) : null}
          hasTraffic={day !== undefined && day.byPrograms > 0}
        />
      </Seed>
    </Seed>
  );
}

const maxChanges = 20;

/** Whether a marker belongs on the home page's charts: changes that affect traffic, not each new key and preview. */
const isChange = ({ source, title }: Marker) =>
  source === "reported" || /(rotated|suspended|revoked|restored|published)$/.test(title);

/** The traffic of the last day, with the changes made during it. */
async function trafficFor(caller: Caller, summary: UsageSummary) {
  const [first = Date.now()] = summary.times;
  const failing = summary.failing.apiKey?.name;
  const [markers, preferences, keys] = await Promise.all([
    listMarkers(caller, { from: new Date(first), limit: 100 }),
    getPreferences(caller),
    describeKeys(caller.tenantId, failing === undefined ? [] : [failing]),
  ]);
  const changes = markers.items.filter(isChange).slice(0, maxChanges);
  return (
    <Traffic
      tenant={caller.tenantId}
      summary={summary}
      zone={(await readersZone(preferences)).name}
      markers={changes.map((one) => ({ id: one.id, at: Date.parse(one.at), title: titleOf(one) }))}
      keyName={keys[0]?.name}
    />
  );
}

/** The last day of the sample traffic; undefined without sample traffic. */
async function sampleFor(caller: Caller) {
  const sample = await findSample(caller.tenantId);
  const summary = sample && (await readUsageSummary(caller, sample));
  if (!summary) return null;
  return (
    <Traffic
      tenant={caller.tenantId}
      summary={summary}
      zone={(await readersZone(await getPreferences(caller))).name}
      markers={[]}
      keyName={undefined}
      sample={toSampleTraffic(sample)}
    />
  );
}

/** The page of all notices. */
export async function noticesFor(caller: Caller) {
  const tenant = caller.tenantId;
  const asked = listAccessRequests(caller);
  const [keys, facts, notices, requests] = await Promise.all([
    listApiKeys(caller, { limit: 200 }),
    factsFor(caller, asked),
    listNotices(caller),
    asked,
  ]);
  return (
    <Seed queryKey={keyKeys.own(tenant)} data={keys.items}>
      <Seed queryKey={noticesKey(tenant)} data={notices}>
        <Seed queryKey={userKeys.accessRequests(tenant)} data={requests}>
          <NoticesPage facts={facts} roleNames={roleNames()} />
        </Seed>
      </Seed>
    </Seed>
  );
}
