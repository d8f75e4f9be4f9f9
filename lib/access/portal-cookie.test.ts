import { EncryptJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { portalSessions, sealSessions, sessionIdFromCookie } from "./portal-cookie";
import { deriveKey } from "./secret-key";

const sessions = new Map([
  ["acme", "svs_one"],
  ["constructor", "svs_two"],
]);

test("a sealed cookie can be opened to each tenant's session, and reveals none of them", async () => {
  const sealed = await sealSessions(sessions, 60);
  expect(sealed).not.toContain("svs_");
  const header = `theme=dark; next-auth.session-token=${sealed}; other=1`;
  expect(await sessionIdFromCookie(header, "acme")).toBe("svs_one");
  expect(await sessionIdFromCookie(header, "constructor")).toBe("svs_two");
  expect(await sessionIdFromCookie(header, "toString")).toBeUndefined();
});

afterEach(() => void vi.unstubAllEnvs());

test("a cookie that next-auth split into parts is joined, in any order", async () => {
  vi.stubEnv("PUBLIC_URL", "https://gatehouse.example");
  const sealed = await sealSessions(sessions, 60);
  const [a, b, c] = [sealed.slice(0, 40), sealed.slice(40, 80), sealed.slice(80)];
  const name = "__Host-next-auth.session-token";
  expect(await sessionIdFromCookie(`${name}.2=${c}; ${name}.0=${a}; ${name}.1=${b}`, "acme")).toBe(
    "svs_one",
  );
});

test("over HTTPS only the name that no other host can set is read", async () => {
  vi.stubEnv("PUBLIC_URL", "https://gatehouse.example");
  const sealed = await sealSessions(sessions, 60);
  for (const name of ["next-auth.session-token", "__Secure-next-auth.session-token"])
    expect((await portalSessions(`${name}=${sealed}`)).size).toBe(0);
  const planted = await sealSessions(new Map([["acme", "svs_planted"]]), 60);
  const header = `next-auth.session-token=${planted}; __Host-next-auth.session-token=${sealed}`;
  expect(await sessionIdFromCookie(header, "acme")).toBe("svs_one");
});

test("an expired, changed or foreign cookie has no sessions", async () => {
  const expired = await sealSessions(sessions, -60);
  const sealed = await sealSessions(sessions, 60);
  const foreign = await new EncryptJWT({ sessions: [["acme", "svs_forged"]] })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime("1h")
    .encrypt(deriveKey("another purpose"));
  // The last character but one: of the last one most bits are not read.
  const changed = `${sealed.slice(0, -2)}${sealed.at(-2) === "A" ? "B" : "A"}${sealed.at(-1)}`;
  for (const text of [expired, changed, foreign, "not-a-token"]) {
    expect((await portalSessions(`next-auth.session-token=${text}`)).size).toBe(0);
  }
});

test("at most five tenants are kept: the one with the oldest sign-in is dropped", async () => {
  const six = new Map(Array.from({ length: 6 }, (_, at) => [`t${at}`, `svs_${at}`]));
  const kept = await portalSessions(`next-auth.session-token=${await sealSessions(six, 60)}`);
  expect([...kept.keys()]).toEqual(["t1", "t2", "t3", "t4", "t5"]);
});
