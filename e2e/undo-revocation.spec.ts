import { request as outside, type Page } from "@playwright/test";
import { undoMs } from "@/components/ui/undo-time";
import { makeOwnTenant, nobody, signInToOwnTenant } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";
import { callAs, createServiceUser, newLogin } from "./support/service-calls";
import { holdUndo, passUndo } from "./support/undo";

// The page of a user shows only the newest keys: tests that sign in as the same user would displace them.
test.use({ storageState: nobody });

interface Made {
  name: string;
  apiKeyId: string;
  secret: string;
  /** The status that a program with the key gets: 200 valid, 403 suspended, 401 revoked. */
  status: () => Promise<number>;
}

/** Creates a key of the signed-in user, or of a service user. */
async function createKey(page: Page, tenant: string, ofUser?: string): Promise<Made> {
  const name = newLogin("wrong");
  const validTo = new Date(Date.now() + 86_400_000 * 30).toISOString();
  const path = ofUser ? `/v1/user/${ofUser}/api-keys` : "/v1/user/profile/api-keys";
  const made = await callAs(page, `POST ${path}`, { tenant, data: { name, validTo } });
  expect(made.status(), await made.text()).toBe(200);
  const { apiKey, apiKeyId } = await made.json();
  const status = async () => {
    const program = await outside.newContext({ baseURL: new URL(made.url()).origin });
    const headers = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
    const answer = await program.get("/v1/user/list?limit=1", { headers });
    await program.dispose();
    return answer.status();
  };
  expect(await status(), "works").toBe(200);
  return { name, apiKeyId, secret: apiKey, status };
}

const rowOf = (page: Page, { name }: Made) => page.getByRole("row", { name: new RegExp(name) });
const undoIn = (page: Page) => page.getByRole("button", { name: "Undo", exact: true });

/** Revokes the user's own key in the portal; it is rejected from then on, and Undo is offered until the test advances its timer. */
async function revokeOwn(page: Page, tenant: string, key: Made): Promise<void> {
  await holdUndo(page);
  await page.goto(`/t/${tenant}/me`);
  await page.getByRole("button", { name: `Revoke key ${key.name}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("You can undo this for 10 seconds");
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, key)).toContainText("Suspended");
  await expect(undoIn(page)).toBeVisible();
  expect(await key.status(), "rejected before it is final").toBe(403);
}

/** Waits for the browser's request that makes the revocation final. */
const finalStep = (page: Page, { apiKeyId }: Made) =>
  page.waitForRequest(
    (sent) =>
      (sent.method() === "DELETE" && sent.url().endsWith(`/${apiKeyId}`)) ||
      sent.url().endsWith(`/${apiKeyId}/revoke`),
  );

test("Undo resumes the key, and it is not revoked", async ({ page }) => {
  const tenant = await makeOwnTenant(page, "undo");
  const key = await createKey(page, tenant);
  await revokeOwn(page, tenant, key);
  await expectAccessible(page);
  await page.keyboard.press("z");
  await expect(page.getByText(`Key "${key.name}" resumed`)).toBeVisible();
  await expect(rowOf(page, key)).toContainText("Active");
  await expect.poll(key.status, "works again").toBe(200);
  await passUndo(page);
  await page.goto(`/t/${tenant}`);
  expect(await key.status(), "for good").toBe(200);
});

test("without Undo the key is revoked after ten seconds, not before", async ({ page }) => {
  const tenant = await makeOwnTenant(page, "undo-none");
  const key = await createKey(page, tenant);
  const sending = finalStep(page, key);
  expect(undoMs).toBe(10_000);
  await revokeOwn(page, tenant, key);
  await passUndo(page, 0.5);
  await expect(undoIn(page)).toBeVisible();
  expect(await key.status(), "half of the time is left").toBe(403);
  await passUndo(page, 0.5);
  await sending;
  await expect(page.getByText(`Key "${key.name}" revoked`)).toBeVisible();
  await expect(undoIn(page)).toBeHidden();
  await expect(rowOf(page, key)).toBeHidden();
  await expect.poll(key.status).toBe(401);
});

test("leaving the page makes the revocation final", async ({ page }) => {
  const tenant = await makeOwnTenant(page, "undo-left");
  const key = await createKey(page, tenant);
  await revokeOwn(page, tenant, key);
  await page.goto("/docs");
  await expect.poll(key.status).toBe(401);
});

test("closing the tab makes the revocation final", async ({ page, context }) => {
  const tenant = await makeOwnTenant(page, "undo-closed");
  const key = await createKey(page, tenant);
  const tab = await context.newPage();
  await revokeOwn(tab, tenant, key);
  await tab.close({ runBeforeUnload: true });
  await expect.poll(key.status).toBe(401);
});

test("a manager can undo the revocation of any key, on every page of the portal", async ({
  page,
}) => {
  const tenant = await makeOwnTenant(page, "undo-managed");
  const { id, login } = await createServiceUser(page, tenant, ["portal.users.mgmt"]);
  const key = await createKey(page, tenant, id);
  await holdUndo(page);
  const revoke = async () => {
    await page.goto(`/t/${tenant}/users/${id}/api-keys`);
    await page.getByRole("button", { name: `Actions for key ${key.name}` }).click();
    await page.getByRole("menuitem", { name: "Revoke key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
    await expect(rowOf(page, key)).toContainText("Suspended");
    expect(await key.status()).toBe(403);
  };
  await revoke();
  await page.getByRole("button", { name: `Actions for key ${key.name}` }).click();
  await expect(page.getByRole("menuitem", { name: /^Resume key/ })).toContainText("Being revoked");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "API keys", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await undoIn(page).click();
  await expect.poll(key.status, "works again").toBe(200);
  await revoke();
  await page.getByRole("link", { name: "API keys", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  const sending = finalStep(page, key);
  await passUndo(page);
  expect((await sending).url()).toContain(`/v1/user/api-keys/${key.apiKeyId}/revoke`);
  await expect.poll(key.status).toBe(401);
  await expect(page.getByRole("row", { name: new RegExp(login) })).toContainText("Revoked");
});

test("after Undo a key that was suspended before is still suspended", async ({ page }) => {
  const tenant = await makeOwnTenant(page, "undo-suspended");
  const key = await createKey(page, tenant);
  const path = `/v1/user/profile/api-keys/${key.apiKeyId}`;
  expect((await callAs(page, `POST ${path}/suspend`, { tenant })).status()).toBe(200);
  await revokeOwn(page, tenant, key);
  await undoIn(page).click();
  await expect(page.getByText(`Key "${key.name}" stays suspended`)).toBeVisible();
  const found = await callAs(page, `GET ${path}`, { tenant });
  expect(await found.json()).toMatchObject({ status: "suspended" });
});

test("signing out makes the revocation final", async ({ page }) => {
  const tenant = await signInToOwnTenant(page, "undo-out");
  const key = await createKey(page, tenant);
  await revokeOwn(page, tenant, key);
  await page.getByRole("button", { name: /account and settings/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await key.status()).toBe(401);
});

test("a key that was reported as leaked is revoked at once, without Undo", async ({ page }) => {
  const tenant = await makeOwnTenant(page, "leaked");
  const key = await createKey(page, tenant);
  await page.goto(`/t/${tenant}/me`);
  await expect(rowOf(page, key)).toContainText("Active");
  const data = { apiKey: key.secret };
  const reported = await callAs(page, "POST /v1/user/api-keys/report-leak", { tenant, data });
  expect(reported.status()).toBe(202);
  const revoke = page.getByRole("button", { name: `Revoke key ${key.name}` });
  const dialog = page.getByRole("dialog");
  await revoke.click();
  await expect(dialog, "as it was read").toContainText("You can undo this");
  await dialog.getByRole("button", { name: "Keep key" }).click();
  await page.reload();
  await expect(rowOf(page, key)).toContainText("Leaked");
  await revoke.click();
  await expect(dialog).toContainText("revoked at once and without Undo");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText(`Key "${key.name}" revoked`)).toBeVisible();
  expect(await key.status()).toBe(401);
  await expect(undoIn(page)).toBeHidden();
});

test.describe("a failure", () => {
  test.use({ tolerated: [/ERR_INTERNET_DISCONNECTED|status of 503/] });

  test("a rejected final request is explained, with a retry", async ({ page }) => {
    const tenant = await makeOwnTenant(page, "undo-rejected");
    const key = await createKey(page, tenant);
    const path = `**/v1/user/profile/api-keys/${key.apiKeyId}`;
    const json = { name: "UnavailableError", code: "server.overloaded", detail: "Too busy." };
    await page.route(path, (route) => route.fulfill({ status: 503, json }));
    await revokeOwn(page, tenant, key);
    await passUndo(page);
    const said = page.getByText(`Key "${key.name}" is suspended and not revoked yet. Too busy.`);
    await expect(said).toBeVisible();
    await page.clock.fastForward(60_000);
    await expect(said, "until it is answered").toBeVisible();
    await expectAccessible(page);
    expect(await key.status()).toBe(403);
    await page.unroute(path);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(said).toBeHidden();
    await expect.poll(key.status).toBe(401);
  });

  test("without a connection the revocation becomes final after reconnecting", async ({
    page,
    context,
  }) => {
    const tenant = await makeOwnTenant(page, "undo-offline");
    const key = await createKey(page, tenant);
    await revokeOwn(page, tenant, key);
    await context.setOffline(true);
    await passUndo(page);
    await expect(page.getByText("It is revoked as soon as there is a connection")).toBeVisible();
    expect(await key.status()).toBe(403);
    await context.setOffline(false);
    await expect.poll(key.status).toBe(401);
    await expect(page.getByText(`Key "${key.name}" revoked`)).toBeVisible();
  });
});
