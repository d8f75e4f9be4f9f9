import { beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, type NewUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const password = "four words in a row";
const newPassword = "another four words here";
let tenant: string;
let admin: { userId: string; headers: Headers };

const signedIn = (given: NewUser) => makeSignedInUser(tenant, { password, ...given });

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
});

const issue = (by: typeof admin, userId: string) =>
  send(`POST /v1/user/${userId}/password-reset`, { headers: by.headers });
const confirm = (token: string, given = newPassword) =>
  send("POST /v1/user/password-resets/confirm", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: given },
  });

const signIn = (login: string, given: string) =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { tenant, login, password: given },
  });

test("a password change that races with a reset loses, 30 times of 30", async () => {
  process.env.RATE_LIMITS = "off";
  const outcomes: string[] = [];
  for (let round = 0; round < 30; round += 1) {
    const thief = await signedIn({ roleIds: ["portal.default"] });
    const { body } = await issue(admin, thief.userId);
    // First, so that it has begun however busy the machine is.
    const reset = confirm(body.token);
    const stolen = send("PUT /v1/user/password", {
      headers: thief.headers,
      body: { current: password, password: "the thief's own words" },
    });
    const [changed, confirmed] = [(await stolen).status, (await reset).status];
    const [thiefs, owners] = [
      await signIn(thief.login, "the thief's own words"),
      await signIn(thief.login, newPassword),
    ];
    outcomes.push(
      `${changed === 204 ? "changed" : "refused"} ${confirmed} ${thiefs.status} ${owners.status}`,
    );
  }
  delete process.env.RATE_LIMITS;
  // The thief may even have changed the password before: a reset that has begun wins over that.
  expect(outcomes.filter((outcome) => !/^(refused|changed) 204 401 200$/.test(outcome))).toEqual(
    [],
  );
}, 60_000);
