import { readdirSync, readFileSync } from "node:fs";
import { processesOf } from "@/bench/drill/servers";
import { median } from "@/bench/metrics/report";
import type { Question } from "./questions";

/** An operation that returns everything is called once, because it takes long enough. */
const callsOf = ({ isWhole }: Question) => (isWhole ? 1 : 5);

/** Milliseconds of CPU time of the threads of the given processes, to the microsecond. */
function usedBy(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    try {
      for (const task of readdirSync(`/proc/${pid}/task`))
        nanoseconds += Number.parseInt(
          readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8"),
          10,
        );
    } catch {
      // It has ended.
    }
  }
  return nanoseconds / 1e6;
}

export interface Cost {
  milliseconds: number;
  product: number;
  store: number;
  bytes: number;
  status: number;
}

export const cpuOf = (pid: number, data: string) => ({
  product: usedBy([pid]),
  store: usedBy(processesOf(data)),
});

/** The median of a few calls, and the CPU time of the service and of the store for each of them. */
export async function costOf(
  { url, pid, data }: { url: string; pid: number; data: string },
  question: Question,
): Promise<Cost> {
  const { method = "GET", path, headers, body } = question;
  const calls = callsOf(question);
  const once = async () => {
    const from = performance.now();
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    let bytes = 0;
    for await (const part of response.body ?? []) bytes += part.length;
    return { milliseconds: performance.now() - from, bytes, status: response.status };
  };
  if (calls > 1) await once();
  const before = cpuOf(pid, data);
  const made: Awaited<ReturnType<typeof once>>[] = [];
  while (made.length < calls) made.push(await once());
  const after = cpuOf(pid, data);
  const [{ bytes, status } = { bytes: 0, status: 0 }] = made;
  return {
    milliseconds: median(made.map(({ milliseconds }) => milliseconds)),
    product: (after.product - before.product) / calls,
    store: (after.store - before.store) / calls,
    bytes,
    status,
  };
}
