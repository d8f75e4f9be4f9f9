import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, type NewUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();

let tenant: string;
let admin: Headers;
let manager: Headers;

const signedIn = async (given: NewUser) => (await makeSignedInUser(tenant, given)).headers;

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
});

describe("preferences", () => {
  test("200: the values that were set are returned; 400 for an invalid value", async () => {
    const set = (body: unknown) => send("PUT /v1/user/preferences", { headers: manager, body });
    const preferences = {
      timeZone: "Europe/Berlin",
      locale: "de-DE",
      theme: "dark",
      density: "compact",
    };
    expect((await set(preferences)).body).toEqual(preferences);
    expect((await send("GET /v1/user/preferences", { headers: manager })).body).toEqual(
      preferences,
    );
    expect((await send("GET /v1/user/preferences", { headers: admin })).body).toEqual({});
    const refused = await set({ timeZone: "Europe/Atlantis", locale: "??", theme: "pink" });
    expect([refused.status, refused.body.reason]).toEqual([400, "/timeZone,/locale,/theme"]);
  });
});
