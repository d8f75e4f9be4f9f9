import { portalStops, publicStops } from "@/e2e/tour/stops";
import { findAt } from "./axe";
import { print, quantile, test } from "./demo";
import { hover } from "./hover";
import { play, scenes } from "./interactions";
import { type Form, lighthouse } from "./lighthouse";
import { trial } from "./offline";

const pages = [
  "/sign-in",
  "/docs",
  "/docs/guides/quick-start",
  "/docs/get-v1-user-list",
  "/t/demo",
  "/t/demo/users",
  "/t/demo/keys",
  "/t/demo/requests",
  "/t/demo/audit",
  "/t/demo/alerts",
  "/t/demo/sites/eu-store/customers",
  "/t/demo/sites/eu-store/previews",
  "/t/demo/metrics",
];

test.use({ tolerated: [/./] });

const figure = (value: number) => value.toFixed(0).padStart(6);

test("Lighthouse: every page, on a desktop and on a phone", async ({ context, baseURL }) => {
  const only = process.env.AUDIT_PAGES?.split(",");
  const runs = Array.from({ length: Number(process.env.AUDIT_RUNS ?? 1) });
  const forms = runs.flatMap(() => ["desktop", "mobile"] satisfies Form[]);
  const cookies = await context.cookies();
  print("perf a11y best  LCP ms   CLS  TBT ms  page");
  for (const path of only ?? pages)
    for (const form of forms) {
      const found = await lighthouse(
        `${baseURL}${path}`,
        path.startsWith("/t/") ? cookies : [],
        form,
      );
      const { performance, accessibility, bestPractices, lcpMs, cls, blockingMs } = found;
      const figures = [performance, accessibility, bestPractices].map((n) => String(n).padStart(4));
      const times = [lcpMs, cls, blockingMs].map((n) => String(n).padStart(6));
      print(`${figures.join(" ")}  ${times.join(" ")}  ${path} ${form} ${found.failed.join(" ")}`);
    }
});

test("axe: every stop of the tour, three widths, both themes and forced colours", async ({
  page,
}) => {
  const stops = [
    ...publicStops.map((stop) => ({ stop, prefix: "" })),
    ...portalStops.map((stop) => ({ stop, prefix: "/t/demo" })),
  ];
  let count = 0;
  for (const { stop, prefix } of stops)
    for (const found of await findAt(page, prefix, stop)) {
      count += 1;
      print(found);
    }
  print(`axe: ${count} of ${stops.length * 7} looks with findings`);
});

test("interactions: to the next paint, CPU throttled to a quarter", async ({ context }) => {
  print(" count p75 ms  worst  interactions of");
  const all: number[] = [];
  const worst: number[] = [];
  for (const scene of scenes) {
    const page = await context.newPage();
    const played = await play(page, scene);
    await page.close();
    const [found, slow] = [played.map((one) => one.ms), played.filter((one) => one.ms > 100)];
    all.push(...found);
    worst.push(Math.max(...found));
    print(
      `${figure(found.length)} ${figure(quantile(found, 0.75))} ${figure(Math.max(...found))}  ${scene.path}  ${slow.map((one) => `${one.act} ${one.ms}`).join(", ")}`,
    );
  }
  print(`${figure(all.length)} ${figure(quantile(all, 0.75))} ${figure(Math.max(...all))}  all`);
  print(`INP p75 ${quantile(worst, 0.75)} ms, where a page's is the worst of its interactions`);
});

test("hover: frames over a chart, CPU throttled to a quarter", async ({ page }) => {
  const { series, points, frames, workMs } = await hover(page);
  const at = (share: number) => quantile(frames, share).toFixed(1);
  print(`hover over ${series} series x ${points} points, ${frames.length} frames`);
  print(`ms a frame: median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}; work ${workMs.toFixed(1)}`);
});

test("offline: a minute without a connection on every page", async ({ context }) => {
  const trials = await trial(context);
  print("back ms  typed   offline on");
  for (const { path, backMs, field, faults } of trials)
    print(`${figure(backMs)}   ${field.padEnd(6)}  ${path} ${faults.join(", ")}`);
  const faulty = trials.filter(({ faults }) => faults.length > 0);
  print(`${trials.length} pages, ${faulty.length} with faults`);
});
