import { SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { clientId, clientSecret } from "@/lib/features/connections/testing/identity-provider";
import {
  type LyingProvider,
  openLyingProvider,
} from "@/lib/features/connections/testing/lying-provider";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { ProviderBrowser } from "./testing/provider-browser";
import { providerWorld } from "./testing/provider-world";

/** Attacks by a third party, another provider or a malicious provider. None of them opens a session. */

const send = testServer();
const { world, connect, people, browserOf } = providerWorld(send);
const now = () => Math.floor(Date.now() / 1000);
const domains = { domains: ["shop.example"] };
const verified = "email_verified";

const failureOf = async (browser: ProviderBrowser) => {
  const outcome = await browser.outcome();
  expect(await browser.sessionOf(world.tenant)).toBeUndefined();
  return outcome?.is === "failure" ? [outcome.kind, outcome.value] : outcome;
};

describe("an ID token", () => {
  let liar: LyingProvider;
  let providerId: string;
  let browser: ProviderBrowser;
  let address: URL;

  beforeEach(async () => {
    liar = await openLyingProvider();
    ({ providerId } = await connect({ issuer: liar.issuer }));
    browser = new ProviderBrowser();
    address = await browser.addressAtProvider(providerId);
    return () => liar.close();
  });

  const claims = (more: object = {}) => ({
    ...{ iss: liar.issuer, aud: clientId, sub: "ada", iat: now(), exp: now() + 300 },
    nonce: address.searchParams.get("nonce") ?? "",
    ...{ preferred_username: "ada", email: "ada@shop.example", name: "Ada" },
    ...more,
  });
  const returned = (query: Record<string, string> = {}) => {
    const url = new URL(`${publicUrl()}/api/auth/callback/${providerId}`);
    const state = address.searchParams.get("state") ?? "";
    url.search = new URLSearchParams({ code: "a code", state, ...query }).toString();
    return url;
  };
  const answerToken = (idToken: unknown) =>
    liar.answer("/token", () => ({ body: { id_token: idToken, access_token: "x" } }));
  const comeBackWith = async (idToken: unknown) => {
    answerToken(idToken);
    await browser.comeBack(returned());
    return failureOf(browser);
  };

  test("that is valid signs in, with the PKCE verifier of the request", async () => {
    answerToken(await liar.sign(claims()));
    expect((await browser.comeBack(returned())).path).toBe(`/t/${world.tenant}`);
    expect(liar.form().get("code_verifier")).toMatch(/^[\w-]{43,128}$/);
    expect(liar.form().get("redirect_uri")).toBe(`${publicUrl()}/api/auth/callback/${providerId}`);
  });

  test.each<[string, object, string]>([
    ["of another issuer", { iss: "https://evil.example" }, "iss"],
    ["for another audience", { aud: "another client" }, "aud"],
    ["for several, issued to another", { aud: [clientId, "other"], azp: "other" }, "azp"],
    ["for several, issued to nobody", { aud: [clientId, "other"] }, "azp"],
    ["that has expired", { exp: now() - 60 }, "exp"],
    ["without an end", { exp: undefined }, "exp"],
    ["that is old", { iat: now() - 3600 }, "iat"],
    ["of the future", { iat: now() + 3600 }, "iat"],
    ["without a subject", { sub: undefined }, "sub"],
    ["with an empty subject", { sub: "" }, "sub"],
    ["with a subject that is no text", { sub: 5 }, "sub"],
    ["with a subject that is too long", { sub: "x".repeat(256) }, "sub"],
    ["with a subject that the store has no text for", { sub: "ada\0" }, "sub"],
    ["with a subject that would be stored as another one", { sub: "ada\ud800" }, "sub"],
    ["with another nonce", { nonce: "of another sign-in" }, "nonce"],
    ["with a nonce of as many characters and more bytes", { nonce: "ä".repeat(43) }, "nonce"],
    ["without a nonce", { nonce: undefined }, "nonce"],
  ])("%s is rejected", async (_, change, value) => {
    expect(await comeBackWith(await liar.sign(claims(change)))).toEqual(["token-invalid", value]);
    expect(await people()).toHaveLength(1);
  });

  test.each<[string, object, object, string]>([
    ["an address that is not verified, as text", { email_verified: "false" }, domains, verified],
    ["an address of which it says nothing usable", { email_verified: 0 }, domains, verified],
    ["a login with a NUL", { preferred_username: "ad\0a" }, {}, "preferred_username"],
    [
      "a login that changes the direction of text",
      { preferred_username: "ada\u202eb" },
      {},
      "preferred_username",
    ],
    ["a name of two lines", { name: "Ada\nroot" }, {}, "name"],
  ])("with %s makes nobody a user", async (_, change, given, value) => {
    const connected = await connect({ name: "Second", issuer: liar.issuer, ...given });
    providerId = connected.providerId;
    address = await browser.addressAtProvider(providerId);
    expect(await comeBackWith(await liar.sign(claims(change)))).toEqual(["claim-invalid", value]);
    expect(await people()).toHaveLength(1);
  });

  test("that is not signed is rejected, and so is one signed with the client secret", async () => {
    const none = new UnsecuredJWT(claims()).encode();
    expect(await comeBackWith(none)).toEqual(["token-invalid", "alg"]);
    address = await browser.addressAtProvider(providerId);
    const secret = new TextEncoder().encode(clientSecret);
    const symmetric = await new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(secret);
    expect(await comeBackWith(symmetric)).toEqual(["token-invalid", "alg"]);
  });

  test("signed by another key is rejected, and so is a modified or malformed one", async () => {
    const other = await openLyingProvider();
    const foreign = await other.sign(claims());
    expect(await comeBackWith(foreign)).toEqual(["token-invalid", "signature"]);
    address = await browser.addressAtProvider(providerId);
    const [head = "", , tail = ""] = (await liar.sign(claims())).split(".");
    const changed = Buffer.from(JSON.stringify(claims({ sub: "root" }))).toString("base64url");
    expect(await comeBackWith(`${head}.${changed}.${tail}`)).toEqual([
      "token-invalid",
      "signature",
    ]);
    address = await browser.addressAtProvider(providerId);
    expect(await comeBackWith(undefined)).toEqual(["token-invalid", "id_token"]);
    await other.close();
  });

  test("signed by a new key of the provider is accepted: the keys are fetched again", async () => {
    answerToken(await liar.sign(claims()));
    await browser.comeBack(returned());
    await liar.renewKey("second");
    const later = new ProviderBrowser();
    address = await later.addressAtProvider(providerId);
    answerToken(await liar.sign(claims()));
    expect((await later.comeBack(returned())).path).toBe(`/t/${world.tenant}`);
    expect(liar.asked.get("/jwks")).toBe(2);
    const unknown = new ProviderBrowser();
    address = await unknown.addressAtProvider(providerId);
    answerToken(await liar.sign(claims(), { kid: "never there" }));
    await unknown.comeBack(returned());
    expect(await failureOf(unknown)).toEqual(["token-invalid", "signature"]);
    expect(liar.asked.get("/jwks")).toBe(3);
  });

  test("counts once: of 20 concurrent uses of one callback one opens a session", async () => {
    answerToken(await liar.sign(claims()));
    await browser.comeBack(returned());
    const again = new ProviderBrowser();
    address = await again.addressAtProvider(providerId);
    answerToken(await liar.sign(claims()));
    const copies = Array.from({ length: 20 }, () => {
      const copy = new ProviderBrowser();
      for (const [name, value] of again.cookies(publicUrl()))
        copy.cookies(publicUrl()).set(name, value);
      return copy;
    });
    const arrived = await Promise.all(copies.map((copy) => copy.comeBack(returned())));
    expect(arrived.filter(({ path }) => path === `/t/${world.tenant}`)).toHaveLength(1);
    const rejected = arrived.flatMap(({ outcome }) =>
      outcome?.is === "failure" ? [outcome.kind] : [],
    );
    expect(rejected).toEqual(Array(19).fill("replayed"));
  });

  test("with many claims is shown by a trial up to the size limit of a cookie", async () => {
    const said = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`claim-${index}`, "ü".repeat(200)]),
    );
    browser = await browserOf(world.adminId);
    address = await browser.addressAtProvider(providerId, { intent: "try" });
    answerToken(await liar.sign(claims(said)));
    const { outcome } = await browser.comeBack(returned());
    const trial = outcome?.is === "trial" ? outcome.trial : undefined;
    expect((trial?.claims.length ?? 0) + (trial?.more ?? 0)).toBe(69);
    const cookie = browser.cookies(publicUrl()).get("gatehouse-sign-in-outcome") ?? "";
    expect(cookie.length).toBeLessThan(3900);
  });

  test("is not requested with a swapped state, and not from another browser", async () => {
    answerToken(await liar.sign(claims()));
    const right = address.searchParams.get("state") ?? "";
    // As many characters, and other bytes.
    const wide = "ä".repeat(right.length);
    for (const state of ["another", wide, `${wide.slice(1)}\u{1f600}`, "\0", ""]) {
      const { path } = await browser.comeBack(returned({ state }));
      expect([path, ...((await failureOf(browser)) as unknown[])]).toEqual([
        ...["/sign-in/outcome", "not-begun", undefined],
      ]);
      address = await browser.addressAtProvider(providerId);
    }
    const twice = new URL(`${returned().href}&state=another`);
    await browser.comeBack(twice);
    expect(await failureOf(browser)).toEqual(["not-begun", undefined]);
    const victim = new ProviderBrowser();
    await victim.comeBack(returned());
    expect(await failureOf(victim)).toEqual(["not-begun", undefined]);
    await victim.addressAtProvider(providerId);
    await victim.comeBack(returned());
    expect(await failureOf(victim)).toEqual(["not-begun", undefined]);
    expect(liar.asked.get("/token")).toBeUndefined();
  });

  test("is not requested if any of next-auth's cookies is missing", async () => {
    answerToken(await liar.sign(claims()));
    for (const name of ["state", "nonce", "pkce.code_verifier"]) {
      const fresh = new ProviderBrowser();
      address = await fresh.addressAtProvider(providerId);
      fresh.cookies(publicUrl()).delete(`next-auth.${name}`);
      await fresh.comeBack(returned());
      expect(await failureOf(fresh), name).toEqual(["not-begun", undefined]);
    }
    expect(liar.asked.get("/token")).toBeUndefined();
  });

  test("is not requested if the callback names another issuer (RFC 9207)", async () => {
    answerToken(await liar.sign(claims()));
    await browser.comeBack(returned({ iss: "https://evil.example" }));
    expect(await failureOf(browser)).toEqual(["token-invalid", "iss"]);
    expect(liar.asked.get("/token")).toBeUndefined();
  });

  test("of one user is not completed by the userinfo of another", async () => {
    const metadata = {
      ...{ issuer: liar.issuer, authorization_endpoint: `${liar.issuer}/auth` },
      ...{ token_endpoint: `${liar.issuer}/token`, jwks_uri: `${liar.issuer}/jwks` },
      userinfo_endpoint: `${liar.issuer}/me`,
    };
    const other = await openLyingProvider();
    other.answer("/.well-known/openid-configuration", () => ({
      body: { ...metadata, issuer: other.issuer },
    }));
    const { providerId: second } = await connect({ issuer: other.issuer });
    const fresh = new ProviderBrowser();
    address = await fresh.addressAtProvider(second);
    providerId = second;
    const sparse = claims({ iss: other.issuer, email: undefined });
    answerToken(await liar.sign(sparse));
    liar.answer("/me", () => ({ body: { sub: "root", email: "root@shop.example" } }));
    await fresh.comeBack(returned());
    expect(await failureOf(fresh)).toEqual(["token-invalid", "sub"]);
    await other.close();
  });
});
