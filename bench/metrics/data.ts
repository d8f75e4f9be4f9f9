import { type Cell, encodeLabels } from "@/lib/features/metrics/call-labels";
import { dayMs, grains, minuteMs } from "@/lib/features/metrics/grains";

const endpoints = 40;
const statuses = ["200", "201", "304", "400", "401", "404", "429", "500"];
const statusShares = [0.86, 0.05, 0.03, 0.02, 0.015, 0.015, 0.005, 0.005];
const keys = 20;
const domains = ["user", "customer", "pim", "api-metrics", "tenant"];

/** Calls of the hot tenant: 190 million in 90 days. */
const callsPerMinute = Math.round(190_000_000 / (90 * 1440));

/** 40 endpoints by Zipf, 8 statuses, 20 keys by Zipf: every endpoint is called in every minute, rare combinations are not. */
function weights(count: number): number[] {
  const raw = Array.from({ length: count }, (_, index) => 1 / (index + 1) ** 0.7);
  const sum = raw.reduce((all, one) => all + one, 0);
  return raw.map((one) => one / sum);
}

interface Combination {
  values: string[];
  rate: number;
}

function combinations(): Combination[] {
  const [byEndpoint, byKey] = [weights(endpoints), weights(keys)];
  return byEndpoint.flatMap((endpointShare, endpoint) =>
    statuses.flatMap((status, index) =>
      byKey.map((keyShare, key) => ({
        values: encodeLabels({
          domain: domains[endpoint % domains.length] ?? "",
          endpoint: `GET /v1/resource-${endpoint}`,
          method: "GET",
          status,
          apiKey: `key_${key}`,
          user: `user_${key % 5}`,
          credentialKind: "apiKey",
        }),
        rate: callsPerMinute * endpointShare * (statusShares[index] ?? 0) * keyShare,
      })),
    ),
  );
}

const all = combinations();

/** A fast generator of uniformly distributed numbers from 0 to 1. */
let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

/** Minutes for the last two days, then coarser steps: the size of a packed row does not depend on how many of its slots are filled. */
function stepOf(age: number): number {
  if (age < 2 * dayMs) return minuteMs;
  return age < 9 * dayMs ? grains.quarter.slotMs : 12 * grains.quarter.slotMs;
}

/** One UTC day of a tenant with this share of the hot one's calls. `times` multiplies the calls, not the cells. */
export function* dayOf(day: number, now: number, share: number, times: number): Generator<Cell> {
  const step = stepOf(now - day);
  for (let at = day; at < Math.min(day + dayMs, now); at += step) {
    for (const { values, rate } of all) {
      const count = Math.floor((rate * share * step) / minuteMs + random());
      if (count > 0) yield { at, values, count: count * times };
    }
  }
}
