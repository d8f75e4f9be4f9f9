import type { Page } from "@playwright/test";
import { fetchNothingAhead } from "./support/ahead";
import { expectSoundInEveryLook, firstLook, openToLookAt } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("pim")) });
// axe posts messages to every frame; the sandboxed live frame has an opaque origin and cannot answer.
test.use({
  tolerated: [/Failed to execute 'postMessage' .* recipient window's origin \('null'\)/],
});

interface Visit {
  name: string;
  path: string;
  open?: (page: Page) => Promise<void>;
}

const openJson = async (page: Page) => {
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect(page.getByRole("textbox", { name: "Configuration as JSON" })).toBeVisible();
};

const openDifference = (page: Page) =>
  expect(page.getByRole("textbox", { name: "Version 1" }).first()).toBeVisible();

const visits: Visit[] = [
  { name: "previews", path: "" },
  {
    name: "actions of a preview",
    path: "",
    open: async (page) => {
      await page.getByRole("button", { name: "Actions for Home page" }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  { name: "a preview as form", path: "/home" },
  { name: "a preview as JSON", path: "/home", open: openJson },
  { name: "history", path: "/home/history", open: openDifference },
];

for (const visit of visits)
  test(`${visit.name}: axe finds nothing, the console is empty, nothing overflows`, async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "pim");
    await openToLookAt(page, `/t/${tenant}/sites/a-one/previews${visit.path}`);
    await visit.open?.(page);
    await expectSoundInEveryLook(page);
  });

const budgets: [string, string, number, ((page: Page) => Promise<void>)?][] = [
  ["previews", "", 200],
  ["a preview as form and as JSON", "/home", 330, openJson],
  ["history", "/home/history", 330, openDifference],
];

for (const [name, path, budget, open] of budgets) {
  test(`${name}: at most ${budget} KiB of JavaScript`, async ({ page, world }) => {
    const wire = await page.context().newCDPSession(page);
    await wire.send("Network.enable");
    const scripts = new Set<string>();
    let bytes = 0;
    wire.on(
      "Network.responseReceived",
      ({ type, requestId }) => type === "Script" && scripts.add(requestId),
    );
    wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await fetchNothingAhead(page);
    await page.goto(`/t/${credentialsOf(world, "pim").tenant}/sites/a-one/previews${path}`, {
      waitUntil: "networkidle",
    });
    await open?.(page);
    await page.waitForLoadState("networkidle");
    const kib = bytes / 1024;
    test.info().annotations.push({ type: "KiB", description: kib.toFixed(1) });
    expect(kib).toBeGreaterThan(100);
    expect(kib).toBeLessThanOrEqual(budget);
  });
}
