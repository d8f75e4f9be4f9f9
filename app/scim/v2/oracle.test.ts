import fc from "fast-check";
import SCIMMY from "scimmy";
import { expect, test } from "vitest";
import { patched } from "@/lib/features/connections/provisioning/scim/patch";
import {
  ada,
  callerOf,
  okta,
  patchOf,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import { provisioningWorld } from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { testServer } from "@/lib/http/testing/test-server";

/*
 * Compares filters and patches with SCIMMY, another implementation of SCIM. Nothing is generated where SCIMMY departs from RFC 7644: it
 * compares text case-sensitively, joins what follows a group by `and` wrongly, does not parse nested groups, drops the parts that
 * `replace` of a whole `name` does not mention, and rejects a path that selects nothing.
 */

const send = testServer();
const world = provisioningWorld(send);
const seed = 7644;

const text = fc.constantFrom("ada", "bob", "bob@shop.example", "shop", "ext-b", "o", "zz");
const operator = fc.constantFrom("eq", "ne", "co", "sw");
const named = fc.constantFrom("userName", "displayName", "externalId", "emails.value");
const comparison = fc.oneof(
  fc.tuple(named, operator, text).map(([name, op, value]) => `${name} ${op} "${value}"`),
  fc.constantFrom("active eq true", "active ne true", 'active eq "False"', "externalId pr"),
);
const bracketed = text.map((one) => `emails[type eq "work" and value co "${one}"]`);
const joined = (one: fc.Arbitrary<string>, other: fc.Arbitrary<string>) =>
  fc
    .tuple(one, fc.constantFrom("and", "or"), other)
    .map(([left, by, right]) => `${left} ${by} ${right}`);
const single = fc.oneof(
  comparison,
  bracketed,
  comparison.map((one) => `not (${one})`),
);
const group = joined(comparison, comparison).map((one) => `(${one})`);
const filters = fc.oneof(
  single,
  joined(single, single),
  joined(single, joined(comparison, single)),
  fc.tuple(single, group).map(([one, other]) => `${one} or ${other}`),
);

test("60 generated filters select the same users as the other implementation", async () => {
  const client = okta(send, world);
  for (const [name, more] of [
    ["ada", {}],
    ["bob", { externalId: "ext-bob" }],
    ["eva", { externalId: "ext-eva" }],
  ] as const) {
    const { externalId: _, ...person } = ada;
    const email = `${name}@shop.example`;
    await client.create({
      ...person,
      ...more,
      userName: name,
      givenName: name,
      familyName: "x",
      email,
    });
  }
  const call = callerOf(send, world);
  const select = async (query = "") => (await call(`GET /Users${query}`)).body.Resources;
  const people: { id: string; userName: string }[] = await select();
  await client.deactivate(people.find(({ userName }) => userName === "eva")?.id ?? "");
  const all = await select();
  const logins = (found: { userName: string }[]) => found.map(({ userName }) => userName).sort();
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const theirs = new SCIMMY.Types.Filter(filter).match(all) as { userName: string }[];
      const ours = await select(`?filter=${encodeURIComponent(filter)}`);
      expect(logins(ours), filter).toEqual(logins(theirs));
    }),
    { seed, numRuns: 60 },
  );
});

const word = fc.constantFrom("Eva", "Ada Lovelace", "x");
const setting = fc.constantFrom("add", "replace");
const address = fc.record({
  value: fc.constantFrom("a@shop.example", "b@shop.example"),
  type: fc.constantFrom("home", "other"),
});
const work = { value: "c@shop.example", type: "work" };
const addresses = fc.array(address, { maxLength: 2 }).map((others) => [work, ...others]);
const value = fc.record(
  { displayName: word, "name.givenName": word, active: fc.boolean() },
  { requiredKeys: [] },
);
const operations = fc.oneof(
  fc.record({
    op: setting,
    path: fc.constantFrom(
      "displayName",
      "externalId",
      "userName",
      "name.givenName",
      "name.familyName",
    ),
    value: word,
  }),
  fc.record({ op: setting, path: fc.constant("active"), value: fc.boolean() }),
  fc.record({
    op: setting,
    path: fc.constant("emails"),
    value: addresses,
  }),
  fc.record({
    op: setting,
    path: fc.constant('emails[type eq "work"].value'),
    value: fc.constant("w@shop.example"),
  }),
  fc.record({
    op: fc.constant("add"),
    path: fc.constant("name"),
    value: fc.record({ givenName: word }),
  }),
  fc.record({ op: setting, value }),
  fc.record({
    op: fc.constant("remove"),
    path: fc.constantFrom(
      "displayName",
      "externalId",
      "name.givenName",
      "name",
      'emails[type eq "home"]',
    ),
  }),
);

const resource = {
  schemas: [SCIMMY.Schemas.User.id],
  ...{ id: "usr_1", userName: "ada", externalId: "ext-ada", displayName: "Ada Lovelace" },
  name: { givenName: "Ada", familyName: "Lovelace" },
  emails: [{ value: "ada@shop.example", type: "work" }],
  active: true,
};

/** The stored attributes of a user; an attribute without a value counts as absent. */
function kept(of: object): object {
  const { userName, externalId, displayName, name, emails, active } = of as typeof resource;
  const parts = Object.values(name ?? {}).some((part) => part !== undefined) ? name : undefined;
  const all = { userName, externalId, displayName, name: parts, emails, active };
  return JSON.parse(JSON.stringify(all));
}

test("2,000 generated patches have the same result as in the other implementation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operations, { minLength: 1, maxLength: 4 }), async (list) => {
      const before = new SCIMMY.Schemas.User(structuredClone(resource));
      const message = new SCIMMY.Messages.PatchOp({
        schemas: [SCIMMY.Messages.PatchOp.id],
        Operations: structuredClone(list),
      });
      const theirs = await message.apply(before, async (one) => one);
      const inCapitals = list.map((one) => ({ ...one, op: one.op.toUpperCase() }));
      expect(kept(patched(resource, patchOf(...inCapitals)))).toEqual(kept(theirs ?? before));
    }),
    { seed, numRuns: 2000 },
  );
});
