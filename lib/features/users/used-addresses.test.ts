import { beforeEach, describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { findUserRow, knownAddress, noteSignIn, type UserRow, updateUserRow } from "./rows";

const [first, second] = ["first@mail.harbour.dev", "second@mail.harbour.dev"];
let key: { tenantId: string; userId: string };

beforeEach(async () => {
  const tenantId = await makeTenant();
  const { userId } = await makeUser(tenantId, { row: { emailAddress: first, usedEmail: "" } });
  key = { tenantId, userId };
});

const change = (set: Partial<UserRow>) => updateUserRow(db(), key, set);
const known = async () => {
  const row = await findUserRow(db(), key);
  if (!row) throw new Error("the user is gone");
  return [knownAddress(row, "usedEmail"), knownAddress(row, "confirmedEmail")];
};
const signIn = (parent?: object) =>
  transaction((tx) => noteSignIn(tx, key, { now: new Date(), parent }));

describe("the address that a user used", () => {
  test("is the address of the row at the last sign-in, not the current one", async () => {
    expect(await signIn()).toMatchObject({ usedEmail: first });
    await change({ emailAddress: second });
    expect((await known())[0]).toBe(first);
    await signIn({});
    expect((await known())[0]).toBe(first);
    await signIn();
    expect((await known())[0]).toBe(second);
  });
});

describe("a row older than the columns", () => {
  const asBefore = { usedEmail: null, confirmedEmail: null };

  test("of a user who signed in has a used and confirmed address", async () => {
    await change({ ...asBefore, lastLoginAt: new Date() });
    expect(await known()).toEqual([first, first]);
    await change({ emailAddress: second });
    expect(await known()).toEqual([first, first]);
  });

  test("of a user who never signed in has none, and the first sign-in confirms nothing", async () => {
    await change(asBefore);
    expect(await known()).toEqual(["", ""]);
    await signIn();
    expect(await known()).toEqual([first, ""]);
  });
});
