import { expect, expectAccessible, fillSignIn, test } from "./support/portal";

const password = "four words in a row";

test("a leaked key is shown on Home to its owner and to the administrator, until its secret is replaced", async ({
  page,
}) => {
  const tenant = `e2e-leak-${Date.now()}`;
  const post = async (path: string, headers: Record<string, string>, data: unknown) => {
    const answer = await page.request.post(path, {
      headers: { "X-Service-Tenant": tenant, ...headers },
      data,
    });
    return { status: answer.status(), body: answer.status() === 202 ? {} : await answer.json() };
  };
  const sessionOf = async (login: string) => {
    const { body } = await post("/v1/user/session-login", {}, { tenant, login, password });
    return { "X-Service-Session-Id": String(body.sessionId) };
  };
  const ada = { login: "ada", name: "Ada Example", emailAddress: "ada@example.com" };
  await page.request.post("/v1/signup", { data: { tenant, site: "shop", password, ...ada } });
  const bob = {
    login: "bob",
    name: "Bob Example",
    emailAddress: "bob@example.com",
    roles: { roleIds: ["portal.default"] },
  };
  const { token } = (await post("/v1/user/invitations", await sessionOf("ada"), bob)).body;
  await post("/v1/user/invitations/accept", {}, { token, password });
  const asBob = await sessionOf("bob");
  const validTo = new Date(Date.now() + 86_400_000 * 30).toISOString();
  const { apiKey, apiKeyId } = (
    await post("/v1/user/profile/api-keys", asBob, { name: "ci", validTo })
  ).body;
  expect((await post("/v1/user/api-keys/report-leak", {}, { apiKey })).status).toBe(202);
  const soon = new Date(Date.now() + 86_400_000 * 5).toISOString();
  expect(
    (await post("/v1/user/profile/api-keys", asBob, { name: "soon", validTo: soon })).status,
  ).toBe(200);

  await page.goto("/sign-in");
  await fillSignIn(page, { tenant, login: "ada", password });
  const notice = page.getByRole("region", { name: "Notices" });
  await expect(notice).toContainText('Key "ci" of Bob Example was reported as leaked');
  await expectAccessible(page);
  await notice.getByRole("link", { name: "Show keys of bob" }).click();
  await expect(page.getByRole("row", { name: /\bci\b/ })).toContainText("Leaked");

  await page.goto("/sign-in");
  await fillSignIn(page, { tenant, login: "bob", password });
  await expect(notice).toContainText('Your key "ci" was reported as leaked');
  await expect(notice, "so is one that ends soon").toContainText(
    'Your key "soon" expires in 5 days',
  );
  const resume = () => post(`/v1/user/profile/api-keys/${apiKeyId}/resume`, asBob, {});
  expect((await resume()).body).toMatchObject({ code: "api-key.rotation-required" });
  expect((await post(`/v1/user/profile/api-keys/${apiKeyId}/rotate`, asBob, {})).status).toBe(200);
  expect((await resume()).status).toBe(200);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Welcome, Bob Example" })).toBeVisible();
  await expect(notice).not.toContainText("was reported as leaked");
});
