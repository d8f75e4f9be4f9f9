import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { publicUrl } from "@/lib/protocol/settings";
import { readConsumerToken, signAccessToken, signAnonymousToken } from "./consumer-tokens";
import { currentSigningKey, rotateSigningKey, keySet as wholeKeySet } from "./signing-keys";

/** The keys of consumer tokens: the set also holds those of management bearers and of the audit trail. */
async function keySet() {
  const { keys } = await wholeKeySet();
  return { keys: keys.filter((key) => key.kid?.startsWith("sig_")) };
}

const who = {
  tenantId: "acme",
  siteId: "one",
  anonymousId: "anon_1",
  customerId: "cust_1",
  familyRef: "fam_1",
};
let token: string;
let claims: Record<string, unknown>;
let header: Record<string, unknown>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString());

/** A token signed by our own key, with the header and claims of the test. */
async function forge(own: { header?: object; claims?: object }): Promise<string> {
  const { privateKey } = await currentSigningKey("consumer");
  const text = `${encode({ ...header, ...own.header })}.${encode({ ...claims, ...own.claims })}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

beforeAll(async () => {
  token = await signAccessToken(who, 900);
  [header, claims] = token.split(".").map((part, index) => (index < 2 ? decode(part) : {})) as [
    typeof header,
    typeof claims,
  ];
});

test("a signed token can be read again, also when it was signed outside the service's code", async () => {
  expect(await readConsumerToken(token)).toMatchObject({ ...who, kind: "customer" });
  expect(await readConsumerToken(await signAnonymousToken(who, 60))).toMatchObject({
    kind: "anonymous",
    anonymousId: "anon_1",
    customerId: "",
  });
  expect(header).toEqual({ alg: "ES256", typ: "at+jwt", kid: (await keySet()).keys.at(-1)?.kid });
  expect(await readConsumerToken(await forge({}))).toBeDefined();
});

describe("a token is rejected", () => {
  test.each([
    ["another issuer", { iss: "http://elsewhere" }],
    ["another audience", { aud: "management" }],
    ["several audiences", { aud: ["consumer", "x"] }],
    ["no end", { exp: undefined }],
    ["an end that is no number", { exp: "9999999999" }],
    ["no tenant", { tid: undefined }],
    ["no family", { fam: undefined }],
    ["a subject that is no text", { sub: 7 }],
  ])("with %s", async (_, own) =>
    expect(await readConsumerToken(await forge({ claims: own }))).toBeUndefined(),
  );

  test.each([
    ["no algorithm", { alg: "none" }],
    ["another algorithm", { alg: "HS256" }],
    ["another type", { typ: "JWT" }],
    ["no type", { typ: undefined }],
    ["a type that every object has", { typ: "constructor" }],
    ["an unknown key", { kid: "sig_other" }],
    ["no key", { kid: undefined }],
    ["a key of its own", { jwk: {} }],
    ["the address of keys", { jku: "https://evil.example/jwks" }],
    ["the address of a certificate", { x5u: "https://evil.example/x" }],
    ["a certificate", { x5c: ["MII"] }],
    ["a demand", { crit: ["exp"] }],
    ["an unencoded payload", { b64: false }],
  ])("with %s in its header", async (_, own) =>
    expect(await readConsumerToken(await forge({ header: own }))).toBeUndefined(),
  );

  test("that is unsigned, signed by another key, or signed with the public key as a secret", async () => {
    const [head, body] = token.split(".");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const other = sign("sha256", Buffer.from(`${head}.${body}`), {
      key: privateKey,
      dsaEncoding: "ieee-p1363",
    }).toString("base64url");
    const hmacHead = encode({ ...header, alg: "HS256" });
    const hmac = createHmac("sha256", JSON.stringify((await keySet()).keys[0]))
      .update(`${hmacHead}.${body}`)
      .digest("base64url");
    for (const forged of [
      `${head}.${body}.${other}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      `${hmacHead}.${body}.${hmac}`,
    ])
      expect(await readConsumerToken(forged), forged).toBeUndefined();
  });

  test("whose encoding differs from the issued one", async () => {
    const [head = "", body = "", proof = ""] = token.split(".");
    const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".indexOf(
      proof.at(-1) ?? "",
    );
    const loose =
      proof.slice(0, -1) +
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[last ^ 1];
    expect(Buffer.from(loose, "base64url")).toEqual(Buffer.from(proof, "base64url"));
    for (const other of [
      `${head}.${body}.${loose}`,
      `${head}.${body}.${proof}=`,
      `${head}.${body}.${proof} `,
      `${head}.\n${body}.${proof}`,
      `${head}.${body}.${proof}.x`,
      "x".repeat(5000),
    ])
      expect(await readConsumerToken(other), other).toBeUndefined();
  });
});

test("a new key is published before it signs, and signatures of the old one stay valid", async () => {
  const before = await currentSigningKey("consumer");
  await rotateSigningKey("consumer");
  const { keys } = await keySet();
  expect(keys).toHaveLength(2);
  expect(keys.every((key) => key.d === undefined && key.alg === "ES256" && key.use === "sig")).toBe(
    true,
  );
  expect((await currentSigningKey("consumer")).kid).toBe(before.kid);
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ["Date"] });
  try {
    expect((await currentSigningKey("consumer")).kid).toBe(keys[1]?.kid);
    expect(await readConsumerToken(token)).toBeDefined();
    expect(await readConsumerToken(await signAccessToken(who, 900))).toBeDefined();
    expect(claims.iss).toBe(publicUrl());
  } finally {
    vi.useRealTimers();
  }
});
