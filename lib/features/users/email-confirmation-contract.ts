import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";

export const requestEmailConfirmation = endpoint({
  operation: "POST /v1/user/email-confirmations",
  summary: "Request a link to confirm one's e-mail address by mail",
  description:
    "Notices and alerts are mailed only to a confirmed address. The link works once, for 3 days, until the address changes. Requests within 15 minutes give one mail, and a user gets at most 5 a day.",
  ...inSession("ownAccount"),
  permission: "any-role",
  requires: ["mail"],
  status: 202,
  answer: z.object({}),
  codes: ["user.other-home"],
});

export const confirmEmailAddress = endpoint({
  operation: "POST /v1/user/email-confirmations/confirm",
  summary: "Confirm an e-mail address with the token of the link that was mailed to it",
  credentials: [],
  limits: { body: 8 * 1024, address: "login" },
  body: z.strictObject({ token: z.string().min(1).max(512) }),
  status: 204,
  codes: ["auth.link-invalid", "auth.link-expired"],
});
