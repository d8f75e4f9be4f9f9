import { type Cell, encodeLabels, labelOf } from "@/lib/features/metrics/call-labels";
import { minuteMs } from "@/lib/features/metrics/grains";
import type { Dimension } from "@/lib/features/metrics/values";

/** A number from 0 to 1 that is the same in every run. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Calls of many combinations at random minutes of a range; every status at every endpoint, some with a key, some with a site. */
export function traffic(from: number, to: number, cells: number, seed = 1): Cell[] {
  const random = dice(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  return Array.from({ length: cells }, () => {
    const [domain, path] = pick([
      ["user", "/v1/user/list"],
      ["user", "/v1/user/{id}"],
      ["pim", "/pim/preview"],
      ["customer", "/v1/customer/profile"],
    ] as const);
    const method = pick(["GET", "PUT"]);
    const apiKey = pick(["", "key_a", "key_b"]);
    const status = pick(["200", "200", "404", "503"]);
    const [site, user] = [pick(["", "one"]), apiKey === "" ? "" : "user_a"];
    const count = 1 + Math.floor(random() * 5);
    const at = Math.floor((from + random() * (to - from)) / minuteMs) * minuteMs;
    const values = encodeLabels({
      domain,
      site,
      endpoint: `${method} ${path}`,
      method,
      status,
      apiKey,
      user,
      credentialKind: apiKey === "" ? "none" : "apiKey",
    });
    return { at, values, count, latency: [[Math.floor(40 + random() * 40), count] as const] };
  });
}

export const valueIn = ({ values }: Cell, dimension: Dimension) => labelOf(values, dimension);
