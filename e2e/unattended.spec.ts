import { enterOwnTenant, nobody } from "./support/own-tenant";
import { expect, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use({ storageState: nobody, tolerated: [/status of 401/] });

const keysOf = ["GET", "/v1/user/profile/api-keys"];

test("automatic requests of a page do not extend the session, and stop when it ends", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "unattended");
  const asked: { path: string; isBackground: boolean }[] = [];
  page.on("request", (request) => {
    const { pathname: path } = new URL(request.url());
    const isBackground = request.headers()["x-service-background"] === "true";
    if (request.method() === keysOf[0] && path === keysOf[1]) asked.push({ path, isBackground });
  });
  // Home polls the keys every few seconds while the user has no used key.
  await page.clock.install();
  // Otherwise actions of the test would count as user gestures for some seconds of the real clock.
  await page.addInitScript(() => {
    const untouched = { isActive: false, hasBeenActive: false };
    Object.defineProperty(navigator, "userActivation", { get: () => untouched });
  });
  await page.goto(`/t/${tenant}`, { waitUntil: "networkidle" });
  const poll = async (count: number) => {
    await page.clock.fastForward(6000);
    await expect.poll(() => asked.length).toBeGreaterThan(count);
  };
  await poll(asked.length);
  await poll(asked.length);
  expect(asked.at(-1)).toEqual({ path: keysOf[1], isBackground: true });

  const ended = await callAs(page, "DELETE /v1/user/session", { tenant });
  expect(ended.status()).toBe(204);
  await page.clock.fastForward(6000);
  await expect(page.getByRole("dialog", { name: "Your session has ended" })).toBeVisible();
  const before = asked.length;
  for (let turn = 0; turn < 5; turn += 1) await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await page.waitForLoadState("networkidle");
  expect(asked.length, "nothing is asked for a session that has ended").toBe(before);
});
