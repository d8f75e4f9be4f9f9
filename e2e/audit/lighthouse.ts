import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cookie, chromium } from "@playwright/test";
import { browserFlags } from "@/e2e/support/browser";

/** The last version that runs on Node 20. It has 180 MB, so it is fetched on use instead of being installed with the product. */
const version = "12.8.2";

export type Form = "desktop" | "mobile";

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, Audit>;
}

interface Audit {
  numericValue?: number;
  score: number | null;
  /** The details of the finding; for the console its messages. */
  details?: { items?: { description?: string }[] };
}

export interface Figures {
  performance: number;
  accessibility: number;
  bestPractices: number;
  lcpMs: number;
  cls: number;
  blockingMs: number;
  /** The failed audits in accessibility and best practices. */
  failed: string[];
}

const percent = (report: Report, name: string) =>
  Math.round((report.categories[name]?.score ?? 0) * 100);

const said = ({ details }: Audit) =>
  (details?.items ?? []).flatMap(({ description }) => (description ? [`"${description}"`] : []));

const value = (report: Report, name: string) => report.audits[name]?.numericValue ?? Number.NaN;

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(JSON.parse(process.env.E2E_BROWSER_ENV ?? "{}") as Record<string, string>),
});

/**
 * Runs `work` with the port of a new browser that has these cookies. A Cookie header would not work: the first cookie that a page sets
 * replaces it, and the page's calls then have no session.
 */
async function withBrowser<Value>(
  cookies: Cookie[],
  work: (port: string) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-lighthouse-"));
  const context = await chromium.launchPersistentContext(folder, {
    ...(process.env.E2E_BROWSER && { executablePath: process.env.E2E_BROWSER }),
    args: [...browserFlags, "--remote-debugging-port=0"],
    env: environment(),
  });
  try {
    await context.addCookies(cookies);
    const [port = ""] = readFileSync(join(folder, "DevToolsActivePort"), "utf8").split("\n");
    return await work(port);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Loads the page in a new browser with the given cookies, and returns its scores. */
export async function lighthouse(url: string, cookies: Cookie[], form: Form): Promise<Figures> {
  const { stdout } = await withBrowser(cookies, (port) =>
    promisify(execFile)(
      "npx",
      [
        ...["--yes", `lighthouse@${version}`, url, "--quiet", "--output=json"],
        "--only-categories=performance,accessibility,best-practices",
        // Keeps the cookies; the browser is new, so its cache is empty.
        ...[`--port=${port}`, "--disable-storage-reset"],
        ...(form === "desktop" ? ["--preset=desktop"] : []),
      ],
      { maxBuffer: 64 * 1024 * 1024, env: environment() },
    ),
  );
  const report = JSON.parse(stdout) as Report;
  return {
    performance: percent(report, "performance"),
    accessibility: percent(report, "accessibility"),
    bestPractices: percent(report, "best-practices"),
    lcpMs: Math.round(value(report, "largest-contentful-paint")),
    cls: Math.round(value(report, "cumulative-layout-shift") * 1000) / 1000,
    blockingMs: Math.round(value(report, "total-blocking-time")),
    failed: Object.entries(report.audits)
      .filter(([, { score, numericValue }]) => score === 0 && numericValue === undefined)
      .map(([name, audit]) => [name, ...said(audit)].join(" ")),
  };
}
