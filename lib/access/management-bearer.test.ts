import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { addSigningKey, deleteOldSigningKeys, signingKeys } from "@/lib/database/global";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { testServer } from "@/lib/http/testing/test-server";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { publicUrl } from "@/lib/protocol/settings";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { readConsumerToken, signAccessToken } from "./consumer-tokens";
import { issueManagementBearer, readManagementBearer } from "./management-bearer";
import { deriveKey } from "./secret-key";
import { currentSigningKey, keySet, type Purpose, rotateSigningKey } from "./signing-keys";

const send = testServer();
const shopper = { tenantId: "acme", siteId: "one", anonymousId: "anon_1" };
const customer = { ...shopper, customerId: "cust_1", familyRef: "fam_1" };
const principal = { tenantId: "acme", userId: "user_1", credentialId: "sess_1" };
/** One issued token of each purpose, decoded. */
const issued = {} as Record<Purpose, { token: string; header: object; claims: object }>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function takeApart(token: string) {
  const [header, claims] = token
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  return { token, header, claims };
}

/** A token signed by our own key of a purpose, with the header and claims of the test. */
async function forge(purpose: Purpose, header: object, claims: object): Promise<string> {
  const { privateKey: key } = await currentSigningKey(purpose);
  const text = `${encode(header)}.${encode(claims)}`;
  const proof = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${proof.toString("base64url")}`;
}

const freshProcess = () => resetPerProcess("signing-keys", "verified-tokens");

beforeAll(async () => {
  issued.management = takeApart((await issueManagementBearer(principal)).accessToken);
  issued.consumer = takeApart(await signAccessToken(customer, 900));
});

describe("a management bearer", () => {
  test("is ES256 by a key of a separate kind, and can be verified with the public key set only", async () => {
    const { token, header } = issued.management;
    const set = await keySet();
    const { kid } = await currentSigningKey("management");
    expect(kid).toMatch(/^mgmt_/);
    expect(header).toEqual({ alg: "ES256", typ: "management+jwt", kid });
    const published = set.keys.find((key) => key.kid === kid);
    expect(published).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    expect(published).not.toHaveProperty("d");
    const expected = { issuer: publicUrl(), audience: "management", algorithms: ["ES256"] };
    const { payload } = await jwtVerify(token, createLocalJWKSet(set), expected);
    expect(payload).toMatchObject({ sub: "user_1", tid: "acme", ses: "sess_1" });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(900);
  });

  describe("of the previous release", () => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { tid: "acme", ses: "sess_1", iat: seconds, exp: seconds + 900 };
    const ours = { ...claims, iss: publicUrl(), aud: "management" };
    const former = (of: object, header: object = { alg: "HS256", typ: "JWT" }, key?: Buffer) => {
      const text = `${encode(header)}.${encode(of)}`;
      const proof = createHmac("sha256", key ?? deriveKey("management-bearer")).update(text);
      return readManagementBearer(`${text}.${proof.digest("base64url")}`, "acme");
    };

    test("is read, with its end", async () => {
      const read = { tenantId: "acme", sessionRef: "sess_1", expiresAt: ours.exp * 1000 };
      expect(await former(ours)).toEqual(read);
      expect(await former({ ...ours, iat: 0, exp: 900 })).toEqual({ ...read, expiresAt: 900_000 });
    });

    test.each([
      ["of another tenant", { ...ours, tid: "other" }],
      ["of another issuer", { ...ours, iss: "https://elsewhere.example" }],
      ["for another audience", { ...ours, aud: "consumer" }],
      ["that would last longer than 15 minutes", { ...ours, exp: seconds + 901 }],
      ["without an end", { ...ours, exp: undefined }],
      ["without a session", { ...ours, ses: 1 }],
    ])("is not read: one %s", async (_, of) => {
      expect(await former(of)).toBeUndefined();
    });

    test("is not read: one of another key, another algorithm or with more header fields", async () => {
      expect(await former(ours, undefined, deriveKey("next-auth"))).toBeUndefined();
      expect(await former(ours, { alg: "HS384", typ: "JWT" })).toBeUndefined();
      expect(await former(ours, { alg: "HS256", typ: "JWT", kid: "a" })).toBeUndefined();
    });
  });

  test("is read in its tenant only, and its signature is checked once", async () => {
    const { header, claims } = issued.management;
    const token = await forge("management", header, { ...claims, jti: "tok_again" });
    const verify = vi.spyOn(crypto.subtle, "verify");
    for (let times = 0; times < 3; times += 1)
      expect(await readManagementBearer(token, "acme")).toMatchObject({ sessionRef: "sess_1" });
    expect(await readManagementBearer(token, "other")).toBeUndefined();
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });

  test("is read with its end after it has expired", async () => {
    const { header, claims } = issued.management;
    const token = await forge("management", header, { ...claims, exp: 1_000_000_000 });
    expect(await readManagementBearer(token, "acme")).toMatchObject({ expiresAt: 1e12 });
  });

  test.each([
    ["no algorithm", { alg: "none" }],
    ["another algorithm", { alg: "HS256" }],
    ["the type of a customer's token", { typ: "at+jwt" }],
    ["the type of any token", { typ: "JWT" }],
    ["no type", { typ: undefined }],
    ["an unknown key", { kid: "mgmt_other" }],
    ["no key", { kid: undefined }],
    ["a key of its own", { jwk: {} }],
    ["the address of keys", { jku: "https://evil.example/jwks" }],
    ["a demand", { crit: ["exp"] }],
  ])("is rejected with %s in its header", async (_, own) => {
    const { header, claims } = issued.management;
    const forged = await forge("management", { ...header, ...own }, claims);
    expect(await readManagementBearer(forged, "acme")).toBeUndefined();
  });

  test.each([
    ["another issuer", { iss: "http://elsewhere" }],
    ["the other audience", { aud: "consumer" }],
    ["both audiences", { aud: ["management", "consumer"] }],
    ["no end", { exp: undefined }],
    ["no tenant", { tid: undefined }],
    ["no session", { ses: undefined }],
  ])("is rejected with %s", async (_, own) => {
    const { header, claims } = issued.management;
    const forged = await forge("management", header, { ...claims, ...own });
    expect(await readManagementBearer(forged, "acme")).toBeUndefined();
  });

  test("is rejected when unsigned, signed by a foreign key, or with the public key as a secret", async () => {
    const [head, body] = issued.management.token.split(".");
    const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const text = Buffer.from(`${head}.${body}`);
    const strange = sign("sha256", text, { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
    const unsigned = encode({ ...issued.management.header, alg: "none" });
    const keyed = encode({ ...issued.management.header, alg: "HS256" });
    const { kid } = await currentSigningKey("management");
    const published = (await keySet()).keys.find((one) => one.kid === kid);
    const hmac = createHmac("sha256", JSON.stringify(published))
      .update(`${keyed}.${body}`)
      .digest("base64url");
    const forged = [
      `${head}.${body}.`,
      `${head}.${body}.${strange}`,
      `${unsigned}.${body}.`,
      `${keyed}.${body}.${hmac}`,
    ];
    for (const one of forged) expect(await readManagementBearer(one, "acme"), one).toBeUndefined();
  });
});

describe("a key of the other kind", () => {
  const kinds: Purpose[] = ["consumer", "management"];
  const reads: Record<Purpose, (token: string) => Promise<unknown>> = {
    consumer: readConsumerToken,
    management: (token) => readManagementBearer(token, "acme"),
  };

  test.each(kinds)("signs no %s token, under its own name or the right one", async (purpose) => {
    const other: Purpose = purpose === "consumer" ? "management" : "consumer";
    const { header, claims } = issued[purpose];
    const read = reads[purpose];
    const { kid } = await currentSigningKey(other);
    expect(await read(await forge(purpose, header, claims))).toBeDefined();
    expect(await read(await forge(other, { ...header, kid }, claims))).toBeUndefined();
    expect(await read(await forge(other, header, claims))).toBeUndefined();
    expect(await read(issued[other].token)).toBeUndefined();
  });

  test("401 for a bearer signed by the key of consumer tokens; 200 by the right key, until its session ends", async () => {
    const tenantId = await makeTenant();
    const { userId } = await makeUser(tenantId, { roleIds: ["portal.users.mgmt"] });
    const session = await makeSession(tenantId, userId);
    const { body } = await send("POST /v1/user/portal-token", { headers: session.headers });
    const { header, claims } = takeApart(body.accessToken);
    const { kid } = await currentSigningKey("consumer");
    const list = async (token: string) => {
      const headers = { "X-Service-Tenant": tenantId, Authorization: `Bearer ${token}` };
      return (await send("GET /v1/user/list", { headers })).status;
    };
    expect(await list(body.accessToken)).toBe(200);
    expect(await list(await forge("consumer", { ...header, kid }, claims))).toBe(401);
    await send("DELETE /v1/user/session", { headers: session.headers });
    expect(await list(body.accessToken)).toBe(401);
  });
});

describe("the keys of both kinds in one store", () => {
  const onFreshStore = (work: () => Promise<void>) =>
    onEmptyStore(async () => {
      freshProcess();
      await work();
    }).finally(freshProcess);

  test("are added although both take the same number at once", () =>
    onFreshStore(async () => {
      await Promise.all([rotateSigningKey("consumer"), rotateSigningKey("management")]);
      const rows = await signingKeys();
      expect(rows.map(({ number }) => number)).toEqual([1, 2]);
      expect(rows.map(({ kid }) => kid.split("_")[0]).toSorted()).toEqual(["mgmt", "sig"]);
    }));

  test("are deleted when a successor of the same kind has signed long enough", () =>
    onFreshStore(async () => {
      await currentSigningKey("management");
      const [row] = await signingKeys();
      if (!row) throw new Error("no key");
      const day = 86_400_000;
      const add = (number: number, kid: string, days: number) =>
        addSigningKey({ ...row, number, kid, activeAt: new Date(Date.now() - days * day) });
      await add(3, "sig_old", 50);
      await add(4, "sig_next", 40);
      await add(5, "mgmt_next", 30);
      await add(6, "mgmt_new", 3);
      await deleteOldSigningKeys(new Date(Date.now() - 7 * day));
      expect((await signingKeys()).map(({ kid }) => kid)).toEqual([
        "sig_next",
        "mgmt_next",
        "mgmt_new",
      ]);
    }));
});
