import { expect, test } from "vitest";
import { accountWays } from "@/lib/features/users/account-access";
import { openApi } from "./openapi";
import { namedOperations } from "./operations";
import { accountOperations } from "./testing/account-steps";

/** Operations on the caller's own user or keys, or with a link that the caller received, and those of support. */
const withoutTarget = [
  /^POST \/v1\/user\/(?:session-login(?:\/second-factor|\/set-up(?:\/confirm)?)?|session\/(?:switch|step-up)|portal-token)$/,
  /^[A-Z]+ \/v1\/user\/(?:second-factors|passkeys|passkey-login)/,
  /^DELETE \/v1\/user\/identities/,
  /^PUT \/v1\/user\/password$/,
  /^[A-Z]+ \/v1\/user\/profile\//,
  /^POST \/v1\/user\/invitations\/accept$/,
  /^POST \/v1\/user\/(?:password-resets|email-confirmations)(?:\/confirm)?$/,
  /^POST \/v1\/(?:tenants|tenant\/connections)$/,
];

test("every operation that changes another user, their keys or their roles is in the table", () => {
  const { paths } = JSON.parse(
    JSON.stringify(openApi(namedOperations, "https://gatehouse.example")),
  );
  const changing = accountOperations(paths);
  const expected = changing.filter((one) => !withoutTarget.some((pattern) => pattern.test(one)));
  const listed = new Set(Object.values(accountWays).flatMap(({ operations }) => operations));
  expect([...listed].toSorted()).toEqual(expected.toSorted());
});
