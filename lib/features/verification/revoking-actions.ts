import type { Revocation } from "./contract";

type Subject = Exclude<Revocation["subjectKind"], "customer" | "family">;

const subjects: Record<string, Subject> = {
  "api-key": "apiKey",
  session: "session",
  user: "user",
  site: "tenant",
};

/**
 * The audit actions after which an earlier answer about a credential may be wrong, and their effect on the target. Those of customers are
 * covered by the revocations of their tokens. A test compares the two lists with every recorded action.
 */
export const revokingActions: Readonly<Record<string, Revocation["effect"]>> = {
  "api-key.revoked": "ended",
  "api-key.suspended": "changed",
  "api-key.resumed": "changed",
  "api-key.updated": "changed",
  "api-key.rotated": "changed",
  "api-key.previous-retired": "changed",
  "api-key.handed-over": "changed",
  "api-key.leak-reported": "changed",
  "session.ended": "ended",
  "session.stepped-up": "changed",
  "user.locked": "changed",
  "user.unlocked": "changed",
  "user.deactivated": "changed",
  "user.reactivated": "changed",
  "user.erased": "changed",
  "user.restored": "changed",
  "user.updated": "changed",
  "user.roles-changed": "changed",
  "user.sessions-ended": "changed",
  "user.second-factor-added": "changed",
  "user.second-factors-reset": "changed",
  "user.password-changed": "changed",
  "user.password-reset": "changed",
  "user.password-reset-confirmed": "changed",
  "connection.sessions-ended": "changed",
  "site.created": "changed",
  "site.deleted": "changed",
};

/** The actions that change no answer. */
export const harmlessActions: readonly string[] = [
  "api-key.created",
  "api-key.hand-off-created",
  "api-key.hand-off-opened",
  "api-key.hand-off-withdrawn",
  "session.created",
  "session.login-failed",
  "session.second-factor-failed",
  "user.created",
  "user.exported",
  "user.email-confirmed",
  "user.emergency-administrator-added",
  "user.emergency-administrator-removed",
  "user.identity-linked",
  "user.identity-unlinked",
  "user.invitation-accepted",
  "user.member-added",
  "user.access-asked",
  "user.access-declined",
  "user.access-withdrawn",
  "user.membership-noted",
  "user.passkey-count-fell",
  "user.password-link-made",
  "user.preferences-changed",
  "user.recovery-code-used",
  "user.recovery-codes-created",
  "user.second-factor-begun",
  "user.second-factor-removed",
  "connection.created",
  "connection.updated",
  "connection.deleted",
  "connection.group-created",
  "connection.group-updated",
  "connection.group-deleted",
  "connection.provisioning-token-created",
  "site.updated",
  "tenant.created",
  "tenant.emergency-sign-in",
  "tenant.updated",
  "tenant.quota-changed",
  "tenant.sample-traffic-added",
  "tenant.sample-traffic-removed",
  "tenant.security-policy-changed",
];

/** The target and the effect of an audit entry. */
export function revocationOf(
  action: string,
  target: { type: string; id: string },
  tenantId: string,
): Pick<Revocation, "subjectKind" | "subjectId" | "effect"> {
  const subjectKind = subjects[target.type] ?? "tenant";
  return {
    subjectKind,
    subjectId: subjectKind === "tenant" ? tenantId : target.id,
    effect: subjectKind === "tenant" ? "changed" : (revokingActions[action] ?? "changed"),
  };
}
