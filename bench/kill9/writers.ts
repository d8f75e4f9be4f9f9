import { randomBytes } from "node:crypto";
import type { World } from "@/bench/seed";

/** The acknowledged writes, none of which may be missing afterwards. */
export interface Diary {
  /** Ids of created objects, by kind. */
  made: Record<"keys" | "users" | "previews" | "customers", Set<string>>;
  /** Values that only increase: the last one sent, and the last one acknowledged. */
  values: Record<"user" | "preview" | "customer", { sent: number; kept: number }>;
  /** Calls that were reported in batches of one call. */
  calls: { sent: number; kept: number };
}

const none = () => ({ sent: 0, kept: 0 });

export const newDiary = (): Diary => ({
  made: { keys: new Set(), users: new Set(), previews: new Set(), customers: new Set() },
  values: { user: none(), preview: none(), customer: none() },
  calls: none(),
});

export function countAcknowledged({ made, values, calls }: Diary): number {
  const kept = Object.values(values).reduce((sum, one) => sum + one.kept, calls.kept);
  return Object.values(made).reduce((sum, one) => sum + one.size, kept);
}

export const batchDomain = "kill9";
export const changedLogin = "user-00001";
export const changedPreview = "kill9";

/** A server, and the credentials of its callers. */
export interface Shop {
  url: string;
  world: World;
  /** The user whose name changes. */
  userId: string;
}

interface Sent {
  operation: string;
  body: unknown;
  headers?: Record<string, string>;
}

/** Sends a request; throws if it fails, which is expected when the server ends. */
export async function send(
  { url, world }: Pick<Shop, "url" | "world">,
  { operation, body, headers }: Sent,
): Promise<Record<string, string>> {
  const [method = "", path = ""] = operation.split(" ");
  const own = headers ?? { "X-Service-Session-Id": world.sessionId };
  const response = await fetch(url + path, {
    method,
    headers: {
      "Content-Type": "application/json",
      "X-Service-Tenant": world.tenant,
      "X-Service-Site": world.site,
      ...own,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

const mark = () => randomBytes(8).toString("hex");
const roles = { roleIds: [], sites: {} };

/** Writes a larger value than before; it counts as kept only when it is acknowledged. */
async function grow(
  value: { sent: number; kept: number },
  write: (n: number) => Promise<unknown>,
): Promise<void> {
  value.sent += 1;
  const n = value.sent;
  await write(n);
  value.kept = n;
}

function making(shop: Shop, { made }: Diary): (() => Promise<void>)[] {
  const { anonymousToken } = shop.world.shopper;
  const bearer = { Authorization: `Bearer ${anonymousToken}` };
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  return [
    async () => {
      const body = { name: mark(), validTo };
      const { apiKeyId } = await send(shop, {
        operation: "POST /v1/user/profile/api-keys",
        body,
      });
      made.keys.add(apiKeyId ?? "");
    },
    async () => {
      const body = { login: `robot-${mark()}`, name: "Robot", roles };
      const { id } = await send(shop, { operation: "POST /v1/user/service-users", body });
      made.users.add(id ?? "");
    },
    async () => {
      const body = { key: `made-${mark()}`, configuration: { title: "Home" } };
      await send(shop, { operation: "POST /pim/preview", body });
      made.previews.add(body.key);
    },
    async () => {
      const body = { login: `shopper-${mark()}`, password: "a shopper's own secret" };
      await send(shop, { operation: "POST /v1/customer/registration", body, headers: bearer });
      made.customers.add(body.login);
    },
  ];
}

function changing(shop: Shop, { values, calls }: Diary): (() => Promise<void>)[] {
  const { accessToken } = shop.world.shopper;
  const shopper = { Authorization: `Bearer ${accessToken}` };
  const write = (operation: string, body: unknown, headers?: Record<string, string>) =>
    send(shop, { operation, body, ...(headers ? { headers } : {}) });
  const preview = `PUT /pim/preview/${changedPreview}/configuration`;
  const cell = { domain: batchDomain, endpoint: "GET /", method: "GET", status: 200, count: 1 };
  return [
    () => grow(values.user, (n) => write(`PATCH /v1/user/${shop.userId}`, { name: `Nr ${n}` })),
    () => grow(values.preview, (n) => write(preview, { n })),
    () =>
      grow(values.customer, (n) =>
        write("PATCH /v1/customer/profile", { name: { last: String(n) } }, shopper),
      ),
    async () => {
      calls.sent += 1;
      const cells = [{ ...cell, time: new Date().toISOString() }];
      await write("POST /v1/api-metrics/events", { batchId: mark(), cells });
      calls.kept += 1;
    },
  ];
}

/** Sends writes of every kind, those of a kind one after the other, until the server ends. Reports failures to `onFailure`. */
export async function writeUntilGone(
  shop: Shop,
  diary: Diary,
  onFailure: (error: unknown) => void,
): Promise<void> {
  await Promise.all(
    [...making(shop, diary), ...changing(shop, diary)].map(async (write) => {
      try {
        for (;;) await write();
      } catch (error) {
        onFailure(error);
      }
    }),
  );
}
