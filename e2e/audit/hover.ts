import type { Page } from "@playwright/test";
import { codeArrived, pause, slowDown } from "./interactions";

/** 300 minutes of calls by domain. */
const path = "/t/demo/metrics?range=5h&period=1-minute&group=domain&chart=line&compare=false";

export interface Hover {
  series: number;
  points: number;
  /** Milliseconds between frames while the pointer moves. */
  frames: number[];
  /** Milliseconds of work for each frame. */
  workMs: number;
}

/** Switches series off in the legend until `wanted` are left. */
async function keepSeries(page: Page, wanted: number): Promise<number> {
  const on = page.getByRole("table", { name: "Series" }).locator("button[aria-pressed=true]");
  while ((await on.count()) > wanted) {
    const before = await on.count();
    await on.last().click();
    await page.waitForFunction(
      (count) =>
        document.querySelectorAll("table button[aria-pressed=true]").length < (count as number),
      before,
    );
  }
  return on.count();
}

/** Moves the pointer over the chart of calls with the CPU throttled to a quarter. */
export async function hover(page: Page): Promise<Hover> {
  await page.goto(path, { waitUntil: "networkidle" });
  const series = await keepSeries(page, 5);
  const plot = page.locator("#calls").getByRole("slider").locator("..");
  const points = Number(await plot.getByRole("slider").getAttribute("max")) + 1;
  await plot.scrollIntoViewIfNeeded();
  await codeArrived(page);
  const box = await plot.boundingBox();
  if (!box) throw new Error("The chart is not on the page.");
  await slowDown(page);
  const wire = await page.context().newCDPSession(page);
  await wire.send("Performance.enable");
  const worked = async () =>
    (await wire.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")
      ?.value ?? Number.NaN;
  await page.mouse.move(box.x + 5, box.y + box.height / 2);
  await pause(page);
  const before = await worked();
  await page.evaluate(() => {
    const times: number[] = [];
    const tick = (now: number) => {
      times.push(now);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(window, { times });
  });
  const steps = 240;
  for (let step = 0; step < steps; step++)
    await page.mouse.move(box.x + (box.width * step) / steps, box.y + box.height / 2);
  const after = await worked();
  const frames = await page.evaluate(() => {
    const { times } = window as unknown as { times: number[] };
    return times.slice(1).map((at, index) => at - (times[index] ?? at));
  });
  return { series, points, frames, workMs: ((after - before) * 1000) / frames.length };
}
