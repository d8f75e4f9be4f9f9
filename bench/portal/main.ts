import { rmSync } from "node:fs";
import { note, printTable } from "@/bench/metrics/report";
import { startMeasured } from "@/bench/processes";
import { withBrowser } from "@/bench/users/browser";
import { administrator } from "@/bench/users/data";
import { places } from "@/components/shell/navigation";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { fillTenant } from "./fill";
import { filterIn } from "./filters";
import { type Load, load } from "./load";

/*
 * npm run bench -- portal [rounds]: a tenant of 5,000 users, 2,000 keys, 300 webhooks and 10,000 requests. For every page of the menu, each
 * round with an empty cache: when its first screen was complete, its layout shift and its length; then the time from a keystroke in a
 * search to the painted rows.
 */

const rounds = Number(process.argv[2] ?? 3);
const required = { completeMs: 1000, shift: 0.01, screens: 3, filterMs: 150 };

const { tenant } = administrator;
const pathOf = ({ path, isPerSite }: (typeof places)[number]) =>
  `/t/${tenant}${isPerSite ? "/sites/eu" : ""}${path}`;
const pages = [...new Set([...places.map(pathOf), `/t/${tenant}/me`, `/t/${tenant}/notices`])];

/** The words typed into searches. */
const searches: Record<string, string[]> = {
  "/users": ["hansen", "zoë", "4711"],
  "/me": ["worker", "42"],
  "/webhooks": ["hooks-2", "warehouse"],
  "/sites/eu/previews": ["campaign-1", "paign"],
};

const spread = (values: number[]) =>
  values
    .toSorted((a, b) => a - b)
    .map((one) => one.toFixed(0))
    .join("/");

async function measurePage(path: string, open: () => Promise<Load>): Promise<void> {
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round++) loads.push(await open());
  const of = (value: (one: Load) => number) => loads.map(value);
  const complete = of(({ paintedMs, textMs }) => Math.max(paintedMs, textMs));
  const [shift, screens] = [of((one) => one.shift), of((one) => one.screens)].map((all) =>
    Math.max(...all),
  ) as [number, number];
  const server = spread(of((one) => one.serverMs));
  note(
    path,
    `complete ${spread(complete)} ms, server ${server} ms, shift ${shift.toFixed(3)}, ${screens.toFixed(1)} screens`,
    `${required.completeMs} ms, ${required.shift}, ${required.screens}`,
    Math.max(...complete) <= required.completeMs &&
      shift <= required.shift &&
      screens <= required.screens,
  );
}

async function measure(url: string): Promise<void> {
  await withBrowser(url, `/t/${tenant}`, async (page, fresh) => {
    for (const path of pages) {
      // The first request for a page loads its code in the service.
      await page.goto(url + path, { waitUntil: "networkidle" });
      await measurePage(path, () => load(fresh, url + path));
    }
    for (const [path, words] of Object.entries(searches)) {
      const times = await filterIn(page, `${url}/t/${tenant}${path}`, words);
      note(
        `${path}: keystroke to painted rows`,
        `${spread(times)} ms`,
        `${required.filterMs} ms`,
        times.length > 0 && Math.max(...times) <= required.filterMs,
      );
    }
  });
}

const dataDir = makeStoreFolder();
try {
  await fillTenant(dataDir);
  const product = await startMeasured(dataDir);
  try {
    await measure(product.url.replace("127.0.0.1", "localhost"));
  } finally {
    await product.stop();
  }
  printTable();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
