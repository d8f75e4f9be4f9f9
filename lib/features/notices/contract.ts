import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { InstantAnswer } from "@/lib/protocol/formats";

/** Events that concern the user's own account, by any actor. */
export const noticeKinds = [
  "password-changed",
  "password-reset",
  "password-link-created",
  "profile-changed",
  "roles-changed",
  "locked",
  "unlocked",
  "deactivated",
  "reactivated",
  "sessions-ended",
  "api-key-created",
  "api-key-changed",
  "api-key-suspended",
  "api-key-leaked",
  "api-key-link-created",
  "api-key-link-opened",
  "second-factor-added",
  "second-factor-removed",
  "second-factors-reset",
  "recovery-codes-created",
  "recovery-code-used",
  "passkey-count-fell",
  "identity-linked",
  "emergency-sign-in",
  "new-network",
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

export const Notice = z
  .object({
    id: z.string(),
    occurredAt: InstantAnswer,
    kind: z.enum(noticeKinds),
    action: z.string().meta({ description: "The action of the audit entry" }),
    byOneself: z.boolean().meta({ description: "Whether one's own credential did it" }),
    by: z.object({ type: z.string(), id: z.string(), login: z.string().optional() }),
    subject: z.string().optional().meta({ description: "The name of the API key" }),
    fields: z.array(z.string()).meta({ description: "The names of what changed" }),
    address: z.string().optional().meta({ description: "Only of what one did oneself" }),
  })
  .meta({ id: "Notice" });

export type Notice = z.infer<typeof Notice>;

export const listNotices = endpoint({
  operation: "GET /v1/user/notices",
  summary:
    "List what happened to one's own account in the last 30 days, newest first, without what was dismissed",
  ...inSession("ownAccount"),
  answer: z.array(Notice),
});

export const dismissNotice = endpoint({
  operation: "POST /v1/user/notices/{id}/dismiss",
  summary: "Dismiss a notice",
  ...inSession("ownAccount"),
  status: 204,
  codes: ["notice.not-found"],
});
