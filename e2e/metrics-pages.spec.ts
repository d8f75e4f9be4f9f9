import type { Page } from "@playwright/test";
import { beCounted } from "./support/counted";
import { expectSoundInEveryLook, firstLook, openToLookAt } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

type Look = (page: Page) => Promise<void>;

const charts: Look = (page) => expect(page.getByRole("img", { name: /over time/ })).toHaveCount(4);
const multiples: Look = (page) =>
  expect(page.getByRole("img", { name: /^Calls over time: / }).first()).toBeVisible();
const tables: Look = (page) =>
  expect(page.getByRole("table", { name: /over time$/ })).toHaveCount(4);
const behindPoint: Look = async (page) => {
  await page.getByRole("slider", { name: "Points of Calls over time" }).press("Enter");
  await expect(page.getByRole("table", { name: "Endpoints behind this point" })).toBeVisible();
};
const refusal: Look = (page) =>
  expect(page.getByText("The metrics could not be loaded")).toBeVisible();

const menu =
  (name: RegExp): Look =>
  async (page) => {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  };

const ranges: Look = async (page) => {
  await page.getByRole("button", { name: "Last 24 h" }).click();
  await expect(page.getByLabel("In words")).toBeVisible();
};

/** The states to check on each address, one after the other; Esc closes each. */
const visits: [string, Record<string, Look>][] = [
  [
    "",
    {
      charts,
      "what is behind a point": behindPoint,
      "groupings open": menu(/^Group:/),
      "filters open": menu(/^Filters/),
      "ranges open": ranges,
    },
  ],
  ["?range=1h&group=endpoint,status,apiKey&chart=line", { "lines of three groupings": charts }],
  ["?range=7d&group=domain&chart=bar&compare=false", { bars: charts }],
  ["?range=1h&group=statusClass&chart=multiples", { multiples }],
  ["?range=1h&view=table&group=endpoint", { tables }],
  [
    "?from=2001-01-01T00:00:00.000Z&to=2001-01-02T00:00:00.000Z&range=",
    { "a range that is no longer kept": refusal },
  ],
];

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("adm")) });
test.use({ tolerated: [/status of 400/] });

for (const [query, looks] of visits)
  test(`metrics${query}: axe finds nothing, the console is empty, nothing overflows`, async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "adm");
    await beCounted(page, tenant);
    await openToLookAt(page, `/t/${tenant}/metrics${query}`);
    for (const [name, look] of Object.entries(looks))
      await test.step(name, async () => {
        await look(page);
        await expectSoundInEveryLook(page);
        await page.keyboard.press("Escape");
      });
  });
