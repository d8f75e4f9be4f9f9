import { assertCredentialUsable, assertNotRevoked } from "@/lib/access/authenticate";
import { assertPasswordChanged, assertRights } from "@/lib/access/authorization";
import { type Caller, epochOfIssuer, isIssuerEnded, type Origin } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import type { Executor } from "@/lib/database/open";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { assertMayUse } from "./account-access";
import { findTarget } from "./find-target";
import { type PasswordLinkRow, selfIssued } from "./password-link-rows";
import { createPasswordReset, inviteUser } from "./password-links-contract";
import type { UserKey } from "./rows";

type CheckedBy = Exclude<IssuedBy, typeof selfIssued>;

const operations: Record<CheckedBy, Parameters<typeof assertRights>[0]> = {
  "POST /v1/user/invitations": inviteUser,
  "POST /v1/user/{id}/password-reset": createPasswordReset,
  /** Only support creates tenants. Repeats the contract of tenants, which imports this feature. */
  "POST /v1/tenants": {
    permission: "any-role",
    isTenantWide: true,
    requires: ["platform-user"],
    worksBeforePasswordChange: false,
  },
};

export type IssuedBy = NonNullable<PasswordLinkRow["issuedBy"]>;
export type Issuer = Pick<
  PasswordLinkRow,
  "issuedBy" | "issuerTenantId" | "issuerUserId" | "issuerKeyId" | "issuerSiteId" | "issuerEpoch"
>;

/** The data about its issuer that a link stores. */
export function issuerOf(caller: Caller, issuedBy: IssuedBy): Issuer {
  const issuerKeyId = caller.kind === "apiKey" ? caller.credentialId : null;
  return {
    issuedBy,
    issuerTenantId: caller.tenantId,
    issuerUserId: caller.userId,
    issuerKeyId,
    issuerSiteId: caller.siteId ?? null,
    issuerEpoch: epochOfIssuer(caller),
  };
}

/** The issuer with its current permissions. Throws if the issuer could not send a request now. */
async function currentIssuer(link: Issuer, origin: Origin): Promise<Caller> {
  const { issuerTenantId, issuerUserId, issuerKeyId, issuerSiteId, issuerEpoch } = link;
  const subject = issuerKeyId === null ? { userId: issuerUserId ?? "" } : { apiKeyId: issuerKeyId };
  const credential =
    issuerTenantId === null ? undefined : await describeCredential(issuerTenantId, subject);
  if (!credential || credential.principal.userId !== issuerUserId) throw voidLinkError();
  if (isIssuerEnded(issuerEpoch, credential.principal)) throw voidLinkError();
  assertNotRevoked(credential);
  assertCredentialUsable(credential, Date.now());
  assertPasswordChanged({ worksBeforePasswordChange: false }, credential.principal);
  return { ...credential.principal, ...origin, siteId: issuerSiteId ?? undefined };
}

/** Repeats the checks of the operation that issued the link. */
async function assertMayIssue(
  tx: Executor,
  issuer: Caller,
  { tenantId, userId }: UserKey,
  issuedBy: CheckedBy,
): Promise<void> {
  assertRights(operations[issuedBy], issuer);
  if (issuedBy === "POST /v1/tenants") return;
  const target = await findTarget(tx, { ...issuer, tenantId }, userId, "user.manage");
  const way = issuedBy === "POST /v1/user/invitations" ? "invitation-link" : "password-link";
  await assertMayUse(way, { tx, caller: issuer, target });
}

/** 401 for a link that was revoked after it was issued. */
export const voidLinkError = () =>
  new ApiError(
    "link.void",
    "This link is no longer valid. Ask an administrator for a new one.",
    undefined,
    {
      headers: challenge("Session"),
    },
  );

/**
 * Throws 401 `link.void` unless the link's issuer still exists, is active and may issue it to this user now. Releases before this rule
 * stored no issuer: their links are valid until they expire, within 7 days, and changes of the user void them like any other.
 */
export async function assertStillIssuable(
  tx: Executor,
  link: Issuer & Pick<PasswordLinkRow, "tenantId" | "userId">,
  origin: Origin,
): Promise<void> {
  const { tenantId, userId, issuedBy } = link;
  if (issuedBy === null || issuedBy === selfIssued) return;
  try {
    const issuer = await currentIssuer(link, origin);
    await assertMayIssue(tx, issuer, { tenantId, userId }, issuedBy);
  } catch (error) {
    if (isRejection(error)) throw voidLinkError();
    throw error;
  }
}
