import { z } from "zod";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { Instant, InstantAnswer, lines } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

/** The maximum validity of a share. */
export const maxShareDays = 90;

/** The maximum number of unexpired shares of a preview configuration. */
export const maxShares = 20;

export const PreviewShare = z.object({
  id: z.string(),
  status: z.enum(["active", "expired", "void"]).meta({
    description: "void: whoever made it could not make it any more",
  }),
  validTo: InstantAnswer,
  comment: z.string().meta({ description: "A text for people" }),
  createdAt: InstantAnswer,
  createdBy: z.string().meta({ description: "The id of a user" }),
});
export type PreviewShare = z.infer<typeof PreviewShare>;

export const NewPreviewShare = z.strictObject({
  validTo: Instant.meta({ description: `At most P${maxShareDays}D ahead` }),
  comment: lines(256).default("").meta({ description: "A text for people, such as for whom" }),
});

const managed = {
  ...automation,
  scope: "site",
  permission: "preview.configuration.write",
} as const;

export const listPreviewShares = endpoint({
  ...managed,
  operation: "GET /pim/preview/{key}/shares",
  summary: "List the shares of a preview configuration, newest first",
  query: z.strictObject(pageQuery),
  answer: z.array(PreviewShare),
  codes: ["preview.not-found"],
});

export const createPreviewShare = endpoint({
  ...managed,
  operation: "POST /pim/preview/{key}/shares",
  summary: "Create a link by which people without a login read a preview configuration",
  status: 201,
  body: NewPreviewShare,
  answer: PreviewShare.extend({
    url: z.string().meta({ description: "The link, shown only here" }),
  }),
  replay: { secretId: "id" },
  codes: ["preview.not-found", "preview.limit-reached"],
});

export const deletePreviewShare = endpoint({
  ...managed,
  operation: "DELETE /pim/preview/{key}/shares/{id}",
  summary: "Revoke a share: its next request is rejected, everywhere",
  status: 204,
  codes: ["preview.not-found", "preview.share-not-found"],
});

export const exchangePreviewShare = endpoint({
  operation: "POST /pim/preview/{key}/shares/exchange",
  summary: "Exchange the token of a share's link for an access token",
  credentials: [],
  limits: { body: 8 * 1024, address: "preview-share" },
  scope: "site",
  replay: { isSafe: true },
  body: z.strictObject({ token: z.string().min(1).max(512) }),
  answer: z.object({
    accessToken: z.string().meta({ description: "For the header X-Service-Preview-Share" }),
    expiresIn: z.int().meta({ description: "Seconds" }),
    share: z.string().meta({ description: "The id of the share" }),
    validTo: InstantAnswer.meta({ description: "When the share expires" }),
  }),
  codes: ["auth.link-invalid", "auth.link-expired", "link.void"],
});
