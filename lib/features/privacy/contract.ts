import { z } from "zod";
import { ApiKey } from "@/lib/features/api-keys/contract";
import { AuditEvent } from "@/lib/features/audit/contract";
import { Identity, Provisioned } from "@/lib/features/connections/identity-contract";
import { OwnMarker } from "@/lib/features/metrics/markers/contract";
import { OwnComment } from "@/lib/features/previews/comments/contract";
import { Session } from "@/lib/features/sessions/contract";
import { SecondFactor } from "@/lib/features/sessions/second-factors/contract";
import { AccessRequest } from "@/lib/features/users/access-requests-contract";
import { User } from "@/lib/features/users/contract";
import { SavedView } from "@/lib/features/views/contract";
import { userGuardCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint, inSession } from "@/lib/protocol/endpoint";

/** One record of the data that this tenant stores about a user. */
export const UserExportRecord = z.discriminatedUnion("type", [
  z.object({ type: z.literal("profile"), data: User }),
  z.object({ type: z.literal("preferences"), data: z.looseObject({}) }),
  z.object({ type: z.literal("session"), data: Session }),
  z.object({ type: z.literal("apiKey"), data: ApiKey }),
  z.object({ type: z.literal("secondFactor"), data: SecondFactor }),
  z.object({ type: z.literal("identity"), data: Identity }),
  z.object({ type: z.literal("provisioning"), data: Provisioned }),
  z.object({ type: z.literal("previewComment"), data: OwnComment }),
  z.object({ type: z.literal("marker"), data: OwnMarker }),
  z.object({ type: z.literal("view"), data: SavedView }),
  z.object({ type: z.literal("accessRequest"), data: AccessRequest }),
  z.object({ type: z.literal("audit"), data: AuditEvent }),
]);

export type UserExportRecord = z.infer<typeof UserExportRecord>;

const exported = {
  produces: ["application/json", "application/x-ndjson"],
  answer: z.array(UserExportRecord),
} as const;

export const exportOwnUser = endpoint({
  operation: "GET /v1/user/profile/export",
  summary:
    "Export what this tenant keeps about oneself: profile with roles, preferences, sessions, API keys without secrets, comments, markers, saved views, and the audit entries by and about oneself",
  ...inSession("ownAccount"),
  ...exported,
});

export const exportUser = endpoint({
  operation: "GET /v1/user/{id}/export",
  summary: "Export what this tenant keeps about a user, for a request of the user; recorded",
  ...automation,
  permission: "user.manage",
  isTenantWide: true,
  ...exported,
  codes: [...userGuardCodes],
});

export const EraseUser = z.strictObject({ reason: z.string().trim().min(1).max(256) });

export const eraseUser = endpoint({
  operation: "POST /v1/user/{id}/erase",
  stepUp: "policy",
  summary:
    "Erase a deactivated user to an id, in every tenant and in the audit trail, which still verifies; cannot be undone",
  ...automation,
  permission: "user.manage",
  isTenantWide: true,
  body: EraseUser,
  answer: User,
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.other-home",
    "user.not-deactivated",
    "user.last-admin",
  ],
});
