import { describe, expect, test } from "vitest";
import {
  ada,
  callerOf,
  okta,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import { provisioningWorld } from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
const world = provisioningWorld(send);

describe("lists", () => {
  const names = ["ada", "bob", "eva"];
  const seed = async () => {
    const client = okta(send, world);
    const ids: string[] = [];
    for (const name of names) {
      const one = {
        ...ada,
        userName: name,
        email: `${name}@shop.example`,
        externalId: `ext-${name}`,
      };
      ids.push((await client.create({ ...one, givenName: name })).body.id);
    }
    await client.deactivate(ids[2] ?? "");
  };
  const list = (query: string) => callerOf(send, world)(`GET /Users?${query}`);
  const filtered = async (filter: string) => {
    const answer = await list(`filter=${encodeURIComponent(filter)}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.Resources.map(({ userName }: { userName: string }) => userName);
  };

  test("the filters that providers send, and others on the stored attributes", async () => {
    await seed();
    const expected: Record<string, string[]> = {
      'userName eq "ADA"': ["ada"],
      'userName ne "ada"': ["bob", "eva"],
      'userName sw "a" or userName sw "b"': ["ada", "bob"],
      'emails.value co "SHOP" and not (userName eq "bob")': ["ada", "eva"],
      'emails[type eq "work" and value eq "bob@shop.example"]': ["bob"],
      'emails[type eq "work"].value eq "bob@shop.example"': ["bob"],
      "active eq false": ["eva"],
      'active eq "True"': ["ada", "bob"],
      "active ne true": ["eva"],
      'externalId eq "ext-bob"': ["bob"],
      'externalId eq "EXT-BOB"': [],
      "externalId pr": names,
      'displayName eq "ada lovelace"': ["ada"],
      'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"': ["ada"],
      'userName co "%"': [],
      'userName eq "\' or 1=1 --"': [],
    };
    const found: Record<string, string[]> = {};
    for (const filter of Object.keys(expected)) found[filter] = await filtered(filter);
    expect(found).toEqual(expected);
  });

  test("400 invalidFilter for an unsupported, malformed or too deeply nested filter", async () => {
    const filters = [
      ...['title eq "x"', 'userName ew "x"', "userName gt 1", "userName eq 1", "userName eq null"],
      ...["active eq 1", "userName eq", 'userName eq "\u0007"', '__proto__ eq "x"'],
      ...['constructor eq "x"', 'emails[type eq "work" and emails[value pr]]'],
      `${"(".repeat(21)}userName pr${")".repeat(21)}`,
      ...[`${"not ".repeat(200)}userName pr`, `userName eq "${"x".repeat(1024)}"`],
      `${"(".repeat(1000)}userName pr`,
    ];
    for (const filter of filters) {
      const { status, body } = await list(`filter=${encodeURIComponent(filter)}`);
      expect([filter, status, body?.scimType]).toEqual([filter, 400, "invalidFilter"]);
    }
  });

  test("414 for 10,000 parentheses, which make the address too long", async () => {
    const filter = `${"(".repeat(10_000)}userName pr${")".repeat(10_000)}`;
    expect((await list(`filter=${filter.replaceAll(" ", "%20")}`)).status).toBe(414);
  });

  test("pages count from 1, and a response has at most 200 resources", async () => {
    await seed();
    const page = await list("startIndex=2&count=1");
    expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect((await list("count=0")).body).toMatchObject({ totalResults: 3, Resources: [] });
    expect((await list("startIndex=-5&count=9999")).body).toMatchObject({
      ...{ totalResults: 3, startIndex: 1, itemsPerPage: 3 },
    });
    expect((await list("startIndex=99")).body).toMatchObject({ totalResults: 3, itemsPerPage: 0 });
    expect((await list("count=many")).body.scimType).toBe("invalidValue");
  });

  test("attributes and excludedAttributes, also of sub-attributes; id and schemas are always returned", async () => {
    await seed();
    const [few] = (await list("attributes=userName,name.givenName&count=1")).body.Resources;
    expect(Object.keys(few).toSorted()).toEqual(["id", "name", "schemas", "userName"]);
    expect(few.name).toEqual({ givenName: "ada" });
    const [less] = (await list("excludedAttributes=emails,id,name.formatted&count=1")).body
      .Resources;
    expect(less).not.toHaveProperty("emails");
    expect(less).toHaveProperty("id");
    expect(less.name).toEqual({ givenName: "ada", familyName: "Lovelace" });
  });
});
