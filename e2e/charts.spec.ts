import type { Locator, Page } from "@playwright/test";
import { fetchNothingAhead } from "./support/ahead";
import { beCounted, callByKey } from "./support/counted";
import { credentialsOf, expect, openAndRest, signedIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

type Corner = [x: number, y: number];

/** The corners of every path of a chart's series on the screen, by series; relative commands are left out. */
const cornersOf = (chart: Locator): Promise<Record<string, Corner[][]>> =>
  chart.evaluate((element) => {
    const frame = element.getBoundingClientRect();
    const series = [...element.querySelectorAll<SVGGElement>("[data-series]")].map((group) => {
      const paths = [...group.querySelectorAll("path")].map((path) => {
        const toScreen = path.getScreenCTM();
        const places = [...(path.getAttribute("d") ?? "").matchAll(/(-?[\d.]+),(-?[\d.]+)/g)];
        return places.map(([, x, y]): [number, number] => {
          const at = new DOMPoint(Number(x), Number(y)).matrixTransform(toScreen ?? undefined);
          return [at.x - frame.x, at.y - frame.y];
        });
      });
      return [group.dataset.series ?? "", paths] as const;
    });
    return Object.fromEntries(series);
  });

const nowhere: Corner = [Number.NaN, Number.NaN];

const isNear = ([x, y]: Corner, [otherX, otherY]: Corner) =>
  Math.abs(x - otherX) < 0.6 && Math.abs(y - otherY) < 0.6;

/** Whether the corners of one path are a subsequence of those of the other. */
function goesAlong(path: Corner[], whole: Corner[]): boolean {
  let at = 0;
  for (const corner of whole) if (isNear(path[at] ?? nowhere, corner)) at++;
  return at === path.length;
}

const drawn = (chart: Locator) => chart.locator("svg.recharts-surface");

/** The visible elements, because charts also contain hidden sets of ticks for other widths. */
const shownText = (chart: Locator) => chart.innerText();

/**
 * Leaves the page's own requests for numbers without an answer, so that it keeps those of the server: once they are
 * 15 seconds old, it would ask again, and draw the calls that were made in between.
 */
const keepNumbers = (page: Page) => page.route("**/v1/api-metrics/**", () => undefined);

/** Returns the paths of a chart as the server drew it, and as recharts draws it when the pointer enters. */
async function bothPictures(page: Page, name: string) {
  const chart = page.getByRole("img", { name });
  await expect(drawn(chart)).toHaveCount(0);
  const first = await cornersOf(chart);
  const text = await shownText(chart);
  await chart.locator("..").hover();
  await expect(drawn(chart)).toBeVisible();
  await expect(chart.locator("svg:not(.recharts-surface)")).toHaveCount(0);
  expect(await shownText(chart), "the same ticks and names").toBe(text);
  return { first, last: await cornersOf(chart), width: (await chart.boundingBox())?.width ?? 0 };
}

for (const kind of ["area", "line", "bar"])
  test(`recharts draws the paths that the server drew: ${kind}`, async ({ page, world }) => {
    const { tenant } = credentialsOf(world, "adm");
    await beCounted(page, tenant);
    await fetchNothingAhead(page);
    await keepNumbers(page);
    await page.goto(`/t/${tenant}/metrics?range=1h&group=method&compare=false&chart=${kind}`);
    for (const name of ["Calls over time", "Error rate over time"]) {
      const { first, last } = await bothPictures(page, name);
      expect(Object.keys(last), name).toEqual(Object.keys(first));
      if (name === "Calls over time") expect(Object.keys(last)).not.toEqual([]);
      for (const [key, paths] of Object.entries(last))
        for (const [index, path] of paths.entries()) {
          const whole = first[key]?.[index] ?? [];
          expect(path.length, `${name}, ${key}: as many corners`).toBe(whole.length);
          expect(goesAlong(path, whole), `${name}, ${key}: the same corners`).toBe(true);
        }
    }
  });

test("on a narrow screen recharts leaves out corners that cannot be distinguished", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.setViewportSize({ width: 390, height: 800 });
  await fetchNothingAhead(page);
  await keepNumbers(page);
  await page.goto(`/t/${tenant}/metrics?range=5h&period=1-minute&group=&compare=false&chart=line`);
  const { first, last, width } = await bothPictures(page, "Calls over time");
  for (const [key, paths] of Object.entries(last)) {
    expect(paths[0]?.length).toBeLessThanOrEqual(width / 2);
    // All paths, because the greatest value may be in the incomplete bucket, which has its own.
    const [line, whole] = [paths.flat(), (first[key] ?? []).flat()];
    expect(goesAlong(line, whole)).toBe(true);
    const tops = [line, whole].map((corners) => Math.min(...corners.map(([, y]) => y)));
    expect(tops[0], "the greatest value is kept").toBeCloseTo(tops[1] ?? 0, 0);
  }
});

test("charts on the screen are drawn by recharts when the page is idle, without a layout shift", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.setViewportSize({ width: 1280, height: 2000 });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await openAndRest(page, `/t/${tenant}/metrics?range=6h`);
  const charts = page.getByRole("img", { name: /over time/ });
  await expect(charts).toHaveCount(4);
  await expect(drawn(charts)).toHaveCount(4);
  for (const chart of await charts.all()) {
    await expect(chart.locator(".recharts-cartesian-axis-tick-label").first()).toBeVisible();
    await expect(chart.locator(".recharts-cartesian-grid line").first()).toBeAttached();
  }
  await expect(drawn(charts.first()).locator("[data-series] path").first()).toBeAttached();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThanOrEqual(0.01);
});

test("the pointer moves two elements of a chart, and none that recharts drew", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await openAndRest(page, `/t/${tenant}/metrics?range=24h`);
  const chart = page.getByRole("img", { name: "Calls over time" });
  await expect(drawn(chart)).toBeVisible();
  const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await page.mouse.move(x + width * 0.3, y + 100);
  await expect(page.locator("#calls [data-crosshair]")).toHaveCount(1);
  await chart.locator("..").evaluate((frame) => {
    const moved = new Set<Node>();
    Object.assign(window, { moved });
    new MutationObserver((changes) => {
      for (const { target } of changes) moved.add(target);
    }).observe(frame, {
      subtree: true,
      attributes: true,
      attributeFilter: ["style", "d", "x", "transform"],
    });
  });
  await page.mouse.move(x + width * 0.6, y + 120, { steps: 12 });
  const moved = () =>
    page.evaluate(() => {
      const { moved } = window as unknown as { moved: Set<Element> };
      return [...moved].map((one) => (one.closest("svg") ? "a mark" : one.className));
    });
  await expect.poll(async () => (await moved()).length, "crosshair and tooltip").toBe(2);
  expect(await moved()).not.toContain("a mark");
});

test("a chart that was saved for Home is drawn by recharts", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  const name = `By method ${Date.now()}`;
  await callByKey(page, tenant);
  await beCounted(page, tenant);
  const data = {
    ...{ page: "metrics", name, query: "range=6h&group=method" },
    ...{ shared: false, default: false, home: true },
  };
  const created = await callAs(page, "POST /v1/views", { tenant, data });
  expect(created.ok(), await created.text()).toBe(true);
  const { id } = await created.json();
  // The chart's turn comes after the code that is fetched ahead, however long that takes.
  await openAndRest(page, `/t/${tenant}`);
  const chart = page.getByRole("article", { name }).getByRole("img");
  await chart.scrollIntoViewIfNeeded();
  await expect(drawn(chart), "when the page is idle").toBeVisible();
  await expect(drawn(chart).locator("[data-series] path").first()).toBeAttached();
  await callAs(page, `DELETE /v1/views/${id}`, { tenant });
});
