import { describe, expect, test } from "vitest";
import { openLyingProvider } from "@/lib/features/connections/testing/lying-provider";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { ProviderBrowser } from "./testing/provider-browser";
import { providerWorld } from "./testing/provider-world";

/** Attacks by a third party, another provider or a malicious provider. None of them opens a session. */

const send = testServer();
const { world, connect, links, browserOf } = providerWorld(send);

const failureOf = async (browser: ProviderBrowser) => {
  const outcome = await browser.outcome();
  expect(await browser.sessionOf(world.tenant)).toBeUndefined();
  return outcome?.is === "failure" ? [outcome.kind, outcome.value] : outcome;
};

describe("two connections", () => {
  test("cannot be mixed up: one does not complete a sign-in that another one started, in any tenant", async () => {
    const { providerId } = await connect();
    const other = await connect({ name: "Second" });
    const browser = new ProviderBrowser();
    const back = await browser.addressAtProvider(providerId);
    const answered = new URL(`${publicUrl()}/api/auth/callback/${other.providerId}`);
    answered.search = new URLSearchParams({
      ...{ code: "x", state: back.searchParams.get("state") ?? "" },
    }).toString();
    await browser.comeBack(answered);
    expect(await failureOf(browser)).toEqual(["not-begun", undefined]);
    const foreign = new URL(answered.href.replace(world.tenant, await makeTenant()));
    const second = new ProviderBrowser();
    await second.addressAtProvider(providerId);
    await second.comeBack(foreign);
    expect(await failureOf(second)).toEqual(["not-begun", undefined]);
  });

  test("of one tenant are unknown in another, and have separate users", async () => {
    const { id, providerId } = await connect();
    await new ProviderBrowser().signIn(providerId, "ada");
    const elsewhere = await makeTenant();
    const browser = new ProviderBrowser();
    const address = await browser.addressAtProvider(`${elsewhere}.${id}`);
    expect(address.pathname).toBe("/sign-in/outcome");
    const second = await connect({ name: "Second", provisioning: "linked-only" });
    const other = new ProviderBrowser();
    await other.signIn(second.providerId, "ada");
    expect(await failureOf(other)).toEqual(["not-linked", undefined]);
    expect(await links()).toHaveLength(1);
  });
});

describe("the beginning", () => {
  test("is rejected from pages of other origins and without the CSRF token", async () => {
    const { providerId } = await connect();
    const browser = new ProviderBrowser();
    const foreign = await browser.begin(providerId, {}, { Origin: "https://evil.example" });
    expect([foreign.status, (await foreign.json()).code]).toEqual([403, "request.cross-origin"]);
    const forged = await browser.addressAtProvider(providerId, { csrfToken: "guessed" });
    expect(forged.pathname).toBe("/sign-in/outcome");
    expect(await failureOf(browser)).toEqual(["not-begun", undefined]);
  });

  test("of a link is rejected for a user of the platform itself", async () => {
    const { providerId } = await connect();
    const { userId } = await makeUser(world.tenant, {
      roleIds: ["tenant.admin"],
      row: { isSystem: true },
    });
    const answered = await (await browserOf(userId)).begin(providerId, { intent: "link" });
    expect((await answered.json()).code).toBe("user.system");
  });
});

describe("a misconfigured provider leads to an error page", () => {
  const kindAt = async (issuer: string, browser = new ProviderBrowser()) => {
    const { providerId } = await connect({ issuer });
    await browser.addressAtProvider(providerId);
    return failureOf(browser);
  };

  test("when it does not respond, or its issuer differs", async () => {
    const liar = await openLyingProvider();
    const where = "/.well-known/openid-configuration";
    const good = { issuer: liar.issuer, authorization_endpoint: `${liar.issuer}/auth` };
    const rest = { token_endpoint: `${liar.issuer}/token`, jwks_uri: `${liar.issuer}/jwks` };
    const cases: [object, string][] = [
      [{ ...good, ...rest, issuer: `${liar.issuer}/` }, "issuer"],
      [{ ...good, ...rest, token_endpoint: "http://10.0.0.1/token" }, "token_endpoint"],
      [
        { ...good, ...rest, authorization_endpoint: "javascript:alert(1)" },
        "authorization_endpoint",
      ],
      [{ ...good, token_endpoint: rest.token_endpoint }, "jwks_uri"],
    ];
    for (const [body, value] of cases) {
      liar.answer(where, () => ({ body }));
      expect(await kindAt(liar.issuer)).toEqual(["metadata-invalid", value]);
    }
    await liar.close();
    expect(await kindAt(liar.issuer)).toEqual(["unreachable", where]);
  });

  test("when it redirects, or its response is too large or no JSON", async () => {
    const liar = await openLyingProvider();
    const where = "/.well-known/openid-configuration";
    const to = { location: `${liar.issuer}/elsewhere` };
    liar.answer(where, () => ({ status: 302, body: {}, headers: to }));
    expect(await kindAt(liar.issuer)).toEqual(["unreachable", `${where} (HTTP 302)`]);
    expect(liar.asked.get("/elsewhere")).toBeUndefined();
    liar.answer(where, () => ({ body: { filler: "x".repeat(1024 * 1024) } }));
    expect(await kindAt(liar.issuer)).toEqual(["unreachable", where]);
    liar.answer(where, () => ({ body: "<html>" }));
    expect(await kindAt(liar.issuer)).toEqual(["unreachable", `${where} (HTTP 200)`]);
    await liar.close();
  });

  test("when the client secret is wrong, and when the provider rejects", async () => {
    const { providerId } = await connect({ clientSecret: "mistyped" });
    const browser = new ProviderBrowser();
    await browser.signIn(providerId, "ada");
    expect(await failureOf(browser)).toEqual(["client-rejected", undefined]);
    const denied = new ProviderBrowser();
    const address = await denied.addressAtProvider(providerId);
    const state = address.searchParams.get("state") ?? "";
    for (const [error, value] of [
      ["access_denied", "access_denied"],
      ["<b>Call 555</b>", undefined],
    ] as const) {
      await denied.addressAtProvider(providerId);
      const again = await denied.addressAtProvider(providerId);
      const url = new URL(`${publicUrl()}/api/auth/callback/${providerId}`);
      url.search = new URLSearchParams({
        error,
        state: again.searchParams.get("state") ?? state,
      }).toString();
      await denied.comeBack(url);
      expect(await failureOf(denied)).toEqual(["refused", value]);
    }
  });
});

test("a stolen session without a recent sign-in cannot link, and an unknown intent is a sign-in", async () => {
  const { providerId } = await connect({ provisioning: "linked-only" });
  const { userId } = await makeUser(world.tenant, { roleIds: ["portal.default"] });
  await makeSession(world.tenant, userId);
  const browser = new ProviderBrowser();
  await browser.signIn(providerId, "ada", { intent: "adopt" });
  expect(await failureOf(browser)).toEqual(["not-linked", undefined]);
  expect(await links()).toEqual([]);
});
