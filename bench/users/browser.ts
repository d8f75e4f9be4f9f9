import { chromium, type Page } from "@playwright/test";
import { median, note } from "@/bench/metrics/report";
import { browserFlags, findBrowser } from "@/e2e/support/browser";
import { administrator } from "./data";

/** Each text is searched only once, because the page caches results. */
const warmUp = ["meyer", "123"];
const slow = ["hansen", "zoë", "4711", "kaya.d", "ines sa", "999"];
const fast = ["vogel", "bauer", "8642", "rosa.p", "otto we", "777"];
const required = 150;

interface Watched {
  paintTimes: number[];
  isPainted(): boolean;
}

/** Runs in the page: records when a key was pressed, and when the rows for the complete text of the field were painted. */
function watchTable(): void {
  const times: number[] = [];
  let pressedAt = 0;
  let asked = "";
  let awaited = 0;
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  const isThere = () => {
    const text = field?.value ?? "";
    const rows = [...document.querySelectorAll("tbody tr")];
    const isBusy =
      document
        .querySelector('section[aria-label="Users"]')
        ?.parentElement?.getAttribute("aria-busy") === "true";
    const fits =
      rows.length > 0 &&
      rows.every((row) => row.textContent?.toLowerCase().includes(text.toLowerCase()));
    return asked === text && !isBusy && fits;
  };
  const look = () => {
    if (pressedAt === 0 || !isThere()) return;
    const since = pressedAt;
    pressedAt = 0;
    // The frame after the one with the rows: they have been painted.
    awaited += 1;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        awaited -= 1;
        times.push(performance.now() - since);
      }),
    );
  };
  const send = window.fetch;
  window.fetch = (...given) => {
    asked = new URL(String(given[0]), location.href).searchParams.get("q") ?? "";
    return send(...given);
  };
  field?.addEventListener("keydown", (event) => {
    pressedAt = event.timeStamp;
  });
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  Object.assign(window, {
    paintTimes: times,
    isPainted: () => pressedAt === 0 && awaited === 0,
  } satisfies Watched);
}

const paintTimes = (page: Page) =>
  page.evaluate(() => (window as unknown as Watched).paintTimes.splice(0));

/** Types the words and returns the times from a keystroke to its rows: of every one, or of the last one of each word if typed fast. */
async function type(page: Page, words: string[], between: number): Promise<number[]> {
  const field = page.getByRole("searchbox");
  const times: number[] = [];
  for (const word of words) {
    await field.fill("");
    await page.waitForTimeout(500);
    await paintTimes(page);
    await field.pressSequentially(word, { delay: between });
    await page.waitForFunction(() => (window as unknown as Watched).isPainted());
    const found = await paintTimes(page);
    times.push(...(between > 300 ? found : found.slice(-1)));
  }
  return times;
}

function response(what: string, times: number[]): void {
  const worst = Math.max(...times);
  const figures = `median ${median(times).toFixed(0)} ms, worst of ${times.length} ${worst.toFixed(0)} ms`;
  note(what, figures, `at most ${required} ms`, worst <= required);
}

/** Signs the administrator in and opens a page, in a new browser; `fresh` opens more tabs that share only the cookies. */
export async function withBrowser(
  url: string,
  path: string,
  work: (page: Page, fresh: () => Promise<Page>) => Promise<void>,
): Promise<void> {
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args: browserFlags,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  const looks = {
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
  };
  try {
    const page = await browser.newPage(looks);
    await page.goto(`${url}/sign-in?next=${path}`);
    await page.waitForLoadState("networkidle");
    await page.getByLabel("Tenant").fill(administrator.tenant);
    await page.getByLabel("Login").fill(administrator.login);
    await page.getByLabel("Password", { exact: true }).fill(administrator.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`${url}${path}`);
    await page.waitForLoadState("networkidle");
    const storageState = await page.context().storageState();
    await work(page, () => browser.newPage({ ...looks, storageState }));
  } finally {
    await browser.close();
  }
}

export async function measureBrowser(url: string): Promise<void> {
  await withBrowser(url, `/t/${administrator.tenant}/users`, async (page) => {
    await page.evaluate(watchTable);
    await type(page, warmUp, 500);
    response("keystroke to painted rows, key by key", await type(page, slow, 500));
    response("the last of keys 90 ms apart to painted rows", await type(page, fast, 90));
  });
}
