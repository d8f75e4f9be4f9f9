import { credentialsOf, expect, signedIn, test } from "./support/portal";

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the pattern.
test.use({ storageState: async ({}, use) => use(signedIn("um")) });

/** KiB of JavaScript over the wire, headers included, until the network is quiet. */
const budgets: [string, (tenant: string) => string, number][] = [
  ["sign-in", () => "/sign-in", 160],
  ["home", (tenant) => `/t/${tenant}`, 200],
  ["user details", (tenant) => `/t/${tenant}/me`, 200],
  ["users", (tenant) => `/t/${tenant}/users`, 200],
  ["reference", () => "/docs", 200],
];

for (const [name, path, budget] of budgets) {
  test(`${name}: at most ${budget} KiB of JavaScript`, async ({ page, world }) => {
    const wire = await page.context().newCDPSession(page);
    await wire.send("Network.enable");
    const scripts = new Set<string>();
    let bytes = 0;
    wire.on("Network.responseReceived", ({ type, requestId }) => type === "Script" && scripts.add(requestId));
    wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(path(credentialsOf(world, "um").tenant), { waitUntil: "networkidle" });
    const kib = bytes / 1024;
    test.info().annotations.push({ type: "KiB", description: kib.toFixed(1) });
    expect(kib).toBeGreaterThan(100);
    expect(kib).toBeLessThanOrEqual(budget);
  });
}
