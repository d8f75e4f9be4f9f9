import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type APIRequestContext, test as base, expect, type Page } from "@playwright/test";
import type { Fixtures } from "@/lib/setup/fixtures";
import { actWhenAwake } from "./awake";
import type { signedInUsers } from "./http-sign-in";

const folder = () => process.env.E2E_FOLDER ?? "";

/** The stored state of a user who is signed in to tenant A. */
export const signedIn = (name: (typeof signedInUsers)[number]) => join(folder(), `${name}.json`);

interface Portal {
  /** Tenant, users and passwords of the run. */
  world: Fixtures;
  /** Messages that the console may print in this test; none by default. */
  tolerated: RegExp[];
  quietConsole: undefined;
}

/** The service may be too busy with other tests' passwords to check one: a request that it asks to repeat is sent again, as the sign-in form does. */
function repeatWhenBusy(request: APIRequestContext): void {
  const post = request.post.bind(request);
  request.post = async (...given) => {
    let answer = await post(...given);
    while (answer.status() === 503 && (await answer.text()).includes('"auth.busy"')) {
      await pause(Number(answer.headers()["retry-after"]) * 1000);
      answer = await post(...given);
    }
    return answer;
  };
}

export const test = base.extend<Portal>({
  world: async ({}, use) =>
    use(JSON.parse(readFileSync(join(folder(), "fixtures.json"), "utf8")) as Fixtures),
  context: async ({ context }, use) => {
    await actWhenAwake(context);
    repeatWhenBusy(context.request);
    await use(context);
  },
  request: async ({ request }, use) => {
    repeatWhenBusy(request);
    await use(request);
  },
  tolerated: [[], { option: true }],
  quietConsole: [
    async ({ page, tolerated }, use) => {
      const said: string[] = [];
      page.on("console", (message) =>
        said.push(`${message.type()}: ${message.text()} ${message.location().url}`),
      );
      page.on("pageerror", (error) => said.push(`uncaught: ${error.message}`));
      await use(undefined);
      expect(said.filter((line) => !tolerated.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** A user of the fixtures as fields of the sign-in form. */
export function credentialsOf(world: Fixtures, name: string) {
  const user = world.users[name];
  if (!user) throw new Error(`The fixtures hold no user "${name}".`);
  return { tenant: world.tenants[user.tenant], login: user.login, password: user.password };
}

export async function fillSignIn(
  page: Page,
  { tenant, login, password }: { tenant: string; login: string; password: string },
): Promise<void> {
  await page.getByLabel("Tenant").fill(tenant);
  await page.getByLabel("Login").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Opens a page and waits until its prefetched code is loaded. */
export async function openAndRest(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("gatehouse.prefetched").length > 0);
}

/** Asserts that the page is not wider than the screen; polls until elements that measure themselves have their new size. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow, "pixels beyond the screen").toBeLessThanOrEqual(0);
}

const axeSource = readFileSync(
  createRequire(join(process.cwd(), "package.json")).resolve("axe-core/axe.min.js"),
  "utf8",
);

const everyRule = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

/** The only rules whose result depends on the theme: a theme changes only colours, as lib/protocol/source.test.ts checks. */
export const rulesOfColours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Asserts that axe finds nothing on the page in its current state, scrolled to the top: otherwise the header would cover a part of it. */
export async function expectAccessible(page: Page, runOnly = everyRule): Promise<void> {
  const isThere = () =>
    page.evaluate(() => {
      window.scrollTo({ top: 0, behavior: "instant" });
      return "axe" in window;
    });
  if (!(await isThere())) await page.evaluate(axeSource);
  // Rows that are about to be replaced are dimmed.
  await expect(page.locator("[aria-busy=true].opacity-60")).toHaveCount(0);
  // A page that is rendered again gets its title shortly after the rest.
  await expect(page).toHaveTitle(/\S/);
  const found = await page.evaluate(async (runOnly) => {
    // Colours are checked after their animation. It is finished here, because waiting might never end: a cancelled animation does not finish.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish();
    // Transitions that start while axe runs, such as that of an expiring message, end immediately.
    const still = new CSSStyleSheet();
    still.replaceSync(
      "*, ::before, ::after { animation-duration: 0s !important; animation-delay: 0s !important; transition: none !important }",
    );
    document.adoptedStyleSheets.push(still);
    const { axe } = window as unknown as {
      axe: { run: (options: unknown) => Promise<{ violations: Violation[] }> };
    };
    interface Violation {
      id: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { violations } = await axe.run({
      runOnly,
      // Passed checks are not described, because that takes as long as the checks.
      resultTypes: ["violations"],
    });
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`).join(" | ")}`,
    );
  }, runOnly);
  expect(found).toEqual([]);
}

/** Signs in as the demo's administrator and sets a password for the test. */
export async function enterDemo(page: Page): Promise<void> {
  await page.goto("/sign-in");
  const password = process.env.E2E_DEMO_PASSWORD ?? "";
  await fillSignIn(page, { tenant: "demo", login: "admin", password });
  await page.getByLabel("New password").fill("seven quiet lanterns by the gate");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/\/t\/demo$/);
}
