import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { signingKeys } from "@/lib/database/global";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { bearer, openShop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { issueManagementBearer, readManagementBearer } from "./management-bearer";
import { openSessions, sealSessions } from "./portal-cookie";
import { adoptSecretKey, openSealed } from "./sealed";
import { currentSigningKey } from "./signing-keys";

const send = testServer();
const [before, after] = [randomBytes(32).toString("hex"), randomBytes(32).toString("base64")];

/** Adopts the secret as a newly started process does. */
function startWith(secret: string, former = ""): Promise<void> {
  vi.stubEnv("SECRET_KEY", secret);
  vi.stubEnv("SECRET_KEY_PREVIOUS", former);
  resetPerProcess("signing-keys");
  return adoptSecretKey();
}

/** Runs on a separate store that was written with the first secret. */
const onStore = (work: () => Promise<void>) =>
  onEmptyStore(async () => {
    vi.stubEnv("RATE_LIMITS", "off");
    await startWith(before);
    await currentSigningKey("consumer");
    await work();
  });

beforeEach(() => {
  resetPerProcess("signing-keys");
});

describe("a changed SECRET_KEY", () => {
  test("rejects the start with an explanation, and reveals neither key", () =>
    onStore(async () => {
      const start = startWith(after);
      await expect(start).rejects.toThrow("not the one this store was written with");
      await expect(startWith(after)).rejects.not.toThrow(after);
      await startWith(before);
    }));

  test("starts with a new signing key once the setting declares the former one lost", () =>
    onStore(async () => {
      const { kid } = await currentSigningKey("consumer");
      await startWith(after, "lost");
      expect((await currentSigningKey("consumer")).kid).not.toBe(kid);
      await startWith(after);
    }));

  test("with the former one reseals the signing keys; then the former is no longer needed", () =>
    onStore(async () => {
      const { kid } = await currentSigningKey("consumer");
      await startWith(after, before);
      for (const row of await signingKeys())
        expect(openSealed(row.privateKey, row.kid)).toMatchObject({ isCurrent: true });
      await startWith(after);
      expect((await currentSigningKey("consumer")).kid).toBe(kid);
    }));

  test("instances that have both keys may start with either first while the change is rolled out", () =>
    onStore(async () => {
      await startWith(after, before);
      await startWith(before, after);
      await startWith(after, before);
    }));
});

test("200 for tokens, repeated requests and the portal's cookie that were signed or encrypted before a rotation", () =>
  onStore(async () => {
    const shop = await openShop(send);
    const { login } = await shop.customer();
    const first = await shop.enter(login);
    const cookie = await sealSessions(new Map([["demo", "svs_session"]]), 60);
    const headers = {
      ...shop.headers,
      ...bearer(await shop.anonymous()),
      "Idempotency-Key": "once",
    };
    const registration = { login: "ann@example.com", password: "a much longer secret" };
    const register = () => send("POST /v1/customer/registration", { headers, body: registration });
    expect((await register()).status).toBe(201);
    const principal = { tenantId: "acme", userId: "user_1", credentialId: "sess_1" };
    const management = (await issueManagementBearer(principal)).accessToken;
    const readManagement = () => {
      resetPerProcess("verified-tokens");
      return readManagementBearer(management, "acme");
    };
    const second = (await shop.refresh(first.refreshToken)).body;

    await startWith(after, before);
    expect(await readManagement()).toMatchObject({ sessionRef: "sess_1" });
    expect((await shop.profile(first.accessToken)).status).toBe(200);
    // Within the grace period: the same successor as before.
    expect((await shop.refresh(first.refreshToken)).body.refreshToken).toBe(second.refreshToken);
    const third = (await shop.refresh(second.refreshToken)).body;
    expect((await shop.profile(third.accessToken)).status).toBe(200);
    expect((await register()).headers.get("idempotency-replayed")).toBe("true");
    expect([...(await openSessions(cookie))]).toEqual([["demo", "svs_session"]]);

    await startWith(after);
    expect(await readManagement()).toMatchObject({ sessionRef: "sess_1" });
    expect((await shop.refresh(third.refreshToken)).status).toBe(200);
    expect((await shop.profile(third.accessToken)).status).toBe(200);
  }));

test("401 for tokens that a lost SECRET_KEY signed: shoppers sign in again", () =>
  onStore(async () => {
    const shop = await openShop(send);
    const { login } = await shop.customer();
    const { accessToken } = await shop.enter(login);
    expect((await shop.profile(accessToken)).status).toBe(200);
    const principal = { tenantId: "acme", userId: "user_1", credentialId: "sess_1" };
    const management = (await issueManagementBearer(principal)).accessToken;

    await startWith(after, "lost");
    expect((await shop.profile(accessToken)).status).toBe(401);
    expect(await readManagementBearer(management, "acme")).toBeUndefined();
    const again = await shop.enter(login);
    expect((await shop.profile(again.accessToken)).status).toBe(200);
  }));
