import { grouped, median, note } from "@/bench/metrics/report";
import { administrator, size } from "./data";

const rounds = 9;

/** The requests of the table while a user types, and those of its other views. */
const questions = {
  "first page by name": "sort=name",
  "last page by name": "sort=-name",
  "one letter": "sort=name&q=a",
  "a common name": "sort=name&q=hansen",
  "one user": "sort=name&q=4711",
  nobody: "sort=name&q=nobody%20at%20all",
  "newest of a name": "sort=-registrationDate&q=hansen",
  "by login, one letter": "sort=login&q=z",
  "a role": "sort=name&role=portal.catalog.mgmt",
  "a site's role and a name": "sort=name&site=eu&q=dahl",
  "the locked": "sort=name&lock=true",
};

async function signIn(url: string): Promise<Record<string, string>> {
  const { tenant } = administrator;
  const headers = { "Content-Type": "application/json", "X-Service-Tenant": tenant };
  const response = await fetch(`${url}/v1/user/session-login`, {
    method: "POST",
    headers,
    body: JSON.stringify(administrator),
  });
  const { sessionId } = (await response.json()) as { sessionId: string };
  return { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
}

async function timed(
  address: string,
  headers: Record<string, string>,
): Promise<{ ms: number; users: number }> {
  const start = performance.now();
  const response = await fetch(address, { headers });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  const users = ((await response.json()) as unknown[]).length;
  return { ms: performance.now() - start, users };
}

/** The complete list: the times of its first and last byte, and the memory that the process keeps. */
async function measureComplete(url: string, headers: Record<string, string>): Promise<void> {
  const memory = async () =>
    Number(
      /^process_resident_memory_bytes (\S+)$/m.exec(
        await (await fetch(`${url}/internal/metrics`)).text(),
      )?.[1],
    ) /
    2 ** 20;
  const before = await memory();
  const start = performance.now();
  const response = await fetch(`${url}/v1/user/list`, { headers });
  let [first, bytes, max] = [0, 0, before];
  for await (const part of response.body ?? []) {
    first ||= performance.now() - start;
    if (Math.floor((bytes + part.length) / 2 ** 21) > Math.floor(bytes / 2 ** 21))
      max = Math.max(max, await memory());
    bytes += part.length;
  }
  note(`complete list of ${grouped(size)}: first part`, `${first.toFixed(0)} ms`);
  note(
    "complete list: whole",
    `${(performance.now() - start).toFixed(0)} ms, ${(bytes / 2 ** 20).toFixed(1)} MiB`,
  );
  note("complete list: memory while it is sent", `${before.toFixed(0)} to ${max.toFixed(0)} MiB`);
}

export async function measureInterface(url: string): Promise<void> {
  const headers = await signIn(url);
  for (const [name, query] of Object.entries(questions)) {
    const address = `${url}/v1/user/list?fields=%2BlastLoginAt,state&limit=50&${query}`;
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { ms, users } = await timed(address, headers);
      times.push(ms);
      found = users;
    }
    note(
      `${name}, ${found} users`,
      `median ${median(times).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms`,
    );
  }
  await measureComplete(url, headers);
}
