import type { Page } from "@playwright/test";
import { atRest } from "./support/at-rest";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { callAs, createServiceUser } from "./support/service-calls";

/*
 * The 25 commonest tasks of the portal, each from the palette in at most three keystrokes.
 *
 * Counted: every key that is not text: opening the palette, a letter that is a command by itself, an arrow, Enter to choose, and Enter
 * to confirm. Not counted: text, which takes as long in any interface: the name of an object with its verb (`lock ada`), and the field of
 * a form with the Enter that submits it. A task whose form has more than one field ends when the form has the focus.
 */
const most = 3;

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

interface Task {
  name: string;
  /** The letter of its command in the palette, or the text that describes it. */
  asks: { letter: string } | { text: string };
  /** The entry that the palette then selects. */
  chooses: string;
  /** Whether a dialog asks for confirmation. */
  confirms?: true;
  /** The text for the field of its form. */
  fills?: string;
  /** Waits for the result of the task. */
  ends: (page: Page) => Promise<unknown>;
}

const onPage = (title: string | RegExp) => (page: Page) =>
  expect(page.getByRole("main").getByRole("heading", { level: 1 })).toHaveText(title);

const inForm = (title: string) => async (page: Page) => {
  const form = page.getByRole("dialog", { name: title });
  await expect(form.locator("input:focus, select:focus, textarea:focus")).toBeVisible();
};

/** Performs a task by the keyboard only; returns the number of counted keystrokes. */
async function strokesOf(page: Page, task: Task): Promise<number> {
  let count = 0;
  const press = (key: string) => {
    count += 1;
    return page.keyboard.press(key);
  };
  await press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  if ("letter" in task.asks) await press(task.asks.letter);
  else await page.keyboard.type(task.asks.text);
  await expect(palette.locator("[cmdk-item][data-selected=true]")).toContainText(task.chooses);
  await press("Enter");
  await expect(palette).toBeHidden();
  const dialog = page.getByRole("dialog");
  if (task.confirms || task.fills !== undefined)
    await expect(dialog.locator(":focus:not([aria-label='Close dialog'])")).toBeAttached();
  if (task.fills !== undefined) {
    await page.keyboard.type(task.fills);
    await page.keyboard.press("Enter");
  }
  if (task.confirms) await press("Enter");
  await task.ends(page);
  return count;
}

/** Performs the tasks one after the other, each starting on the page where the previous one ended. */
async function expectFewStrokes(page: Page, tasks: Task[]): Promise<void> {
  for (const task of tasks) {
    await atRest(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(await strokesOf(page, task), task.name).toBeLessThanOrEqual(most);
  }
}

const toPage = (letter: string, entry: string, title = entry): Task => ({
  name: `go to ${entry}`,
  asks: { letter },
  chooses: entry,
  ends: onPage(title),
});

const toForm = (letter: string, entry: string, title = entry): Task => ({
  name: entry,
  asks: { letter },
  chooses: entry,
  ends: inForm(title),
});

const pages = [
  toPage("t", "Metrics"),
  toPage("l", "Alerts"),
  toPage("r", "Requests"),
  toPage("u", "Users"),
  toPage("k", "API keys"),
  toPage("p", "Previews"),
  toPage("c", "Customers"),
  toPage("w", "Webhooks"),
  toPage("d", "Streams", "Audit streams"),
  toPage("a", "Audit"),
  toPage("s", "Settings"),
];

const forms = [
  toForm("U", "Invite user", "Invite a user"),
  toForm("P", "Create preview"),
  toForm("C", "Create customer"),
  toForm("W", "Create webhook"),
  toForm("L", "Create alert"),
];

const generateKey = (name: string): Task => ({
  name: "generate an API key",
  asks: { letter: "K" },
  chooses: "Generate API key",
  fills: name,
  ends: (page) => expect(page.getByText(`Key "${name}" is ready`)).toBeVisible(),
});

interface World {
  user: { id: string; login: string };
  /** An API key of the signed-in user. */
  key: string;
}

const lock = (login: string): Task => ({
  name: "lock a user",
  asks: { text: `lock ${login}` },
  chooses: "Lock Service",
  fills: "left the company",
  ends: (page) => expect(page.getByRole("button", { name: "Unlock", exact: true })).toBeVisible(),
});

/** The tasks for a named object. */
const withName = ({ user, key }: World): Task[] => [
  lock(user.login),
  {
    name: "unlock a user",
    asks: { text: `unlock ${user.login}` },
    chooses: "Unlock Service",
    confirms: true,
    ends: (page) => expect(page.getByRole("button", { name: "Lock", exact: true })).toBeVisible(),
  },
  {
    name: "change the roles of a user",
    asks: { text: `roles ${user.login}` },
    chooses: "Roles of Service",
    ends: (page) => expect(page).toHaveURL(new RegExp(`/users/${user.id}/access$`)),
  },
  {
    name: "open a user",
    asks: { text: `Service ${user.login}` },
    chooses: user.login,
    ends: (page) => expect(page).toHaveURL(new RegExp(`/users/${user.id}$`)),
  },
  {
    name: "find a customer",
    asks: { text: "nobody@example.com" },
    chooses: "Find customer nobody@example.com",
    ends: (page) => expect(page).toHaveURL(/\/customers\?q=nobody/),
  },
  {
    name: "open a preview",
    asks: { text: "winter camp" },
    chooses: "Winter campaign",
    ends: onPage(/Winter campaign/),
  },
  {
    name: "rename an API key",
    asks: { text: `rename ${key}` },
    chooses: `Rename ${key}`,
    fills: `${key} again`,
    ends: (page) => expect(page.getByText(`${key} again`).first()).toBeVisible(),
  },
  {
    name: "rotate an API key",
    asks: { text: `rotate ${key}` },
    chooses: `Rotate ${key}`,
    confirms: true,
    ends: (page) => expect(page.getByText(/^Key ".*" is ready$/)).toBeVisible(),
  },
];

async function worldOf(page: Page, tenant: string): Promise<World> {
  const key = `tasks ${Date.now()}`;
  const data = { name: key, validTo: new Date(Date.now() + 3_600_000).toISOString() };
  const made = await callAs(page, "POST /v1/user/profile/api-keys", { tenant, data });
  expect(made.status()).toBe(200);
  return { user: await createServiceUser(page, tenant), key };
}

test("pages: each in three keystrokes", async ({ page, world }) => {
  await page.goto(`/t/${credentialsOf(world, "adm").tenant}`);
  await expectFewStrokes(page, pages);
});

test("forms: the most frequent creations, each in three keystrokes", async ({ page, world }) => {
  await page.goto(`/t/${credentialsOf(world, "adm").tenant}`);
  await expectFewStrokes(page, [...forms, generateKey(`tasks form ${Date.now()}`)]);
});

test("actions on a user, a key, a preview, a customer: each in three keystrokes", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const tasks = withName(await worldOf(page, tenant));
  expect(pages.length + forms.length + 1 + tasks.length).toBe(25);
  await page.goto(`/t/${tenant}`);
  await expectFewStrokes(page, tasks);
});

test("from home a key takes three keystrokes and its name, a lock two and the reason", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { login } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}`);
  expect(await strokesOf(page, lock(login))).toBe(2);
  await page.goto(`/t/${tenant}`);
  expect(await strokesOf(page, generateKey(`tasks home ${Date.now()}`))).toBe(3);
});
