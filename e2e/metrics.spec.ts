import { readFileSync } from "node:fs";
import { escapeFrom, pressTogether } from "./support/at-rest";
import { boxesOf } from "./support/boxes";
import { beCounted } from "./support/counted";
import { openMarkers } from "./support/markers";
import { enterOwnTenant, nobody } from "./support/own-tenant";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";
import { callAs, newLogin } from "./support/service-calls";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

/** The chart of a day has a point for each 5 minutes. */
const bucketOf = (at: number) => Math.floor(at / 300_000);

test("a sentence summarizes the charts, and T shows the same as tables", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=1h&group=endpoint`);
  await expect(page.getByRole("status").filter({ hasText: /calls/ })).toBeVisible();
  await expect(page.getByRole("img", { name: "Calls over time" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("t");
  await expect(page).toHaveURL(/view=table/);
  for (const name of [
    "Calls over time",
    "Client and server errors over time",
    "Error rate over time",
    "Latency over time",
  ])
    await expect(page.getByRole("table", { name })).toBeVisible();
  await expect(page.getByRole("img", { name: /over time/ })).toHaveCount(0);
  await expectAccessible(page);
});

test("a table of over 1,400 buckets draws only the rows in view, and the oldest when scrolled to it", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=5d&period=5-minute&view=table`);
  const table = page.getByRole("table", { name: "Calls over time" });
  await expect(table).toHaveAttribute("aria-rowcount", /^14\d\d$/);
  await expect(table.locator('[aria-rowindex="2"]')).toBeInViewport();
  await expect.poll(() => table.getByRole("row").count()).toBeLessThan(100);
  const oldest = table.locator(`[aria-rowindex="${await table.getAttribute("aria-rowcount")}"]`);
  // Scrolled by script: a wheel scrolls the page too, as soon as the frame is at its end. Repeated,
  // because the rows' code scrolls back to its start when it is loaded, and measured rows may be taller.
  const frame = page.locator("div").filter({ has: table }).last();
  await expect(async () => {
    await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(oldest).toBeInViewport({ timeout: 1000 });
  }).toPass();
});

test("the selection is in the address, and the address restores it", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByLabel("Period")).toHaveValue("auto");
  await expect(
    page.getByLabel("Period").getByRole("option", { name: "5 minutes (auto)" }),
  ).toHaveCount(1);
  await page.getByLabel("Chart", { exact: true }).selectOption("bar");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Group: status class" }).click();
  await page.getByRole("menuitemcheckbox", { name: "endpoint" }).click();
  await page.getByRole("menuitemcheckbox", { name: "API key" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Last 24 h" }).click();
  await page.getByLabel("Time zone").selectOption("Asia/Kathmandu");
  await page.getByLabel("In words").fill("last 3 hours");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/range=3h/);
  await expect(page).toHaveURL(/group=statusClass,endpoint,apiKey/);
  await page.reload();
  await expect(
    page.getByRole("button", { name: "Group: status class, endpoint, API key" }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Last 3h · Kathmandu" })).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByLabel("Chart", { exact: true })).toHaveValue("bar");
});

test("dragging across a chart zooms, Esc goes back", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics`);
  const chart = page.getByRole("img", { name: "Calls over time" });
  // The server draws the chart too, but it follows the pointer only after its code is loaded.
  await expect(async () => {
    const [box] = await boxesOf(chart);
    await page.mouse.move(box.x + box.width * 0.5, box.y + 120);
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
    await expect(page.locator("[data-crosshair]")).toHaveCount(4, { timeout: 500 });
  }).toPass();
  await page.mouse.down();
  const [box] = await boxesOf(chart);
  await page.mouse.move(box.x + box.width * 0.6, box.y + 100, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  await page.getByRole("button", { name: /^Group:/ }).click();
  await escapeFrom(page, "menu");
  await expect(page, "Esc closed the menu alone").toHaveURL(/from=.*to=/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/from=/);
});

test("the legend hides a series or shows only one, by keys too", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=1h&group=method`);
  const get = page.getByRole("table", { name: "Series" }).getByRole("button", { name: /^GET/ });
  await expect(get).toHaveAttribute("aria-pressed", "true");
  await get.focus();
  await page.keyboard.press("Enter");
  await expect(get).toHaveAttribute("aria-pressed", "false");
  await expect(page).toHaveURL(/off=GET/);
  await pressTogether(page, "gt");
  await expect(page, "g t goes to the metrics, and t is not its own").toHaveURL(/\/metrics$/);
  await expect(page.getByRole("img", { name: "Calls over time" })).toBeVisible();
});

test("up to 4 series are labelled at their ends; the charts are saved as a picture of their size", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=1h&group=domain&compare=false&domain=user`);
  const chart = page.getByRole("img", { name: "Calls over time" });
  const name = chart.locator("text", { hasText: /^user$/ });
  await chart.locator("..").hover();
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(name).toHaveCSS("fill", ink);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("button", { name: "More", exact: true })
      .click()
      .then(() => page.getByRole("button", { name: "PNG" }).click()),
  ]);
  expect(download.suggestedFilename()).toBe(`${tenant}-metrics.png`);
  const file = readFileSync(await download.path());
  expect(file.subarray(1, 4).toString()).toBe("PNG");
  const [{ width }] = await boxesOf(chart);
  expect(file.readUInt32BE(16)).toBe(2 * (Math.round(width) + 32));
  const colours = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    const found = new Set<string>();
    for (let at = 0; at < pixels.length; at += 4)
      found.add(`${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`);
    return [...found];
  }, file.toString("base64"));
  expect(colours, "the first series' colour and the paper").toEqual(
    expect.arrayContaining(["20,83,182", "255,255,255"]),
  );
});

test.describe("a separate tenant", () => {
  test.use({ storageState: nobody });

  test("keys move along the points, each is announced with its markers; Enter opens its details, Esc closes them", async ({
    page,
  }) => {
    const tenant = await enterOwnTenant(page, "points");
    await beCounted(page, tenant);
    const at = new Date().toISOString();
    const data = { at, title: "Storefront 4.2", kind: "deploy", url: "https://ci.example/42" };
    const answer = await callAs(page, "POST /v1/api-metrics/markers", { tenant, data });
    expect(answer.status(), await answer.text()).toBe(201);
    await page.goto(`/t/${tenant}/metrics?range=1h&group=domain`);
    const markers = await openMarkers(page);
    const marker = markers.getByRole("button", { name: "Storefront 4.2" });
    await expect(marker).toBeVisible();
    const slider = page.getByRole("slider", { name: "Points of Calls over time" });
    await slider.focus();
    await expect(slider).toHaveAttribute("aria-valuetext", /user \d+/);
    const last = await slider.inputValue();
    await page.keyboard.press("ArrowLeft");
    await expect(slider).toHaveValue(String(Number(last) - 1));
    await marker.focus();
    await expect(slider).toHaveAttribute("aria-valuetext", /Storefront 4\.2/);
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: /^Calls from/ });
    await expect(panel.getByRole("heading")).toBeFocused();
    await expect(panel.getByRole("link", { name: "Storefront 4.2" })).toHaveAttribute(
      "href",
      data.url,
    );
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
  });
});

test("from home to the requests of the key behind a peak in 3 clicks", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  const data = { name: newLogin("peak"), validTo: new Date(Date.now() + 86_400_000).toISOString() };
  const made = await callAs(page, "POST /v1/user/profile/api-keys", { tenant, data });
  const { apiKey, apiKeyId } = await made.json();
  const headers = { "X-Service-API-Key": apiKey };
  const call = () => callAs(page, "GET /v1/user/session", { tenant, headers });
  // If they are split over two buckets, the bucket of `calledAt` has at least half of them.
  for (let calls = 0; calls < 20; calls += 1) await call();
  const calledAt = Date.now();
  for (let calls = 0; calls < 20; calls += 1) await call();
  await beCounted(page, tenant);
  const logged = async () =>
    (await callAs(page, `GET /v1/requests?apiKey=${apiKeyId}`, { tenant })).json();
  await expect.poll(logged, "the log appears within seconds").not.toEqual([]);
  await page.goto(`/t/${tenant}`);
  await page.getByRole("link", { name: "Metrics", exact: true }).click();
  const points = page.getByRole("slider", { name: "Points of Calls over time" });
  await expect(points).toBeAttached();
  // The calls belong to the last point, unless a new one has started since.
  const shown = page.getByText(/^As of/).locator("time");
  const asOf = Date.parse((await shown.getAttribute("datetime")) ?? "");
  const last = Number(await points.getAttribute("max"));
  const newer = bucketOf(asOf) - bucketOf(calledAt);
  const keys = page.getByRole("table", { name: "API keys behind this point" });
  await expect(async () => {
    const [{ x, y, width, height }] = await boxesOf(points);
    await page.mouse.click(x + (width - 1) * (1 - newer / last), y + height / 2);
    await expect(keys).toBeVisible({ timeout: 2000 });
  }).toPass();
  // Other tests make calls too, so the key is identified by its name or id.
  const link = keys.getByRole("link", { name: new RegExp(`^(${data.name}|${apiKeyId})$`) });
  await expect(link).toBeVisible();
  await link.click();
  await expect(page).toHaveURL(/\/requests\?.*from=.*apiKey=key_/);
  await expect(page.getByRole("table", { name: "Requests, newest first" })).toBeVisible();
});
