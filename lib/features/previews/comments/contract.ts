import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { hasVisibleCharacter, textOf } from "@/lib/protocol/text";

/** The maximum comments of a preview configuration: those of visitors with a share do not count toward the team's limit. */
export const maxComments = { team: 500, visitors: 200 } as const;

/** Characters of a comment. */
const maxCommentLength = 2000;

const Commentator = z
  .object({
    type: z.enum(["user", "share"]),
    id: z.string().meta({ description: "Empty where a visitor with a share is shown a user" }),
    login: z.string().optional().meta({ description: "Of a user, for users alone" }),
    name: z.string().optional().meta({ description: "Of a user, in lists" }),
  })
  .meta({ description: "Who wrote it: a user, or whoever has a share" });

const said = "Plain text";
const done = "Whether it needs nobody any more";
const aboutPlace = "A JSON Pointer (RFC 6901) to what it is about; null: the whole";

export const PreviewComment = z.object({
  id: z.string(),
  pointer: z.string().nullable().meta({ description: aboutPlace }),
  text: z.string().meta({ description: said }),
  version: z.int().meta({ description: "The newest revision when it was written" }),
  resolved: z.boolean().meta({ description: done }),
  author: Commentator,
  createdAt: InstantAnswer,
  updatedAt: InstantAnswer,
});
export type PreviewComment = z.infer<typeof PreviewComment>;

/** A comment as it appears in its author's data export. */
export const OwnComment = PreviewComment.omit({ author: true }).extend({
  site: z.string(),
  key: z.string().meta({ description: "Of the preview configuration" }),
});
export type OwnComment = z.infer<typeof OwnComment>;

const pointerRule = "must be a JSON Pointer such as /hero/headline";
const Pointer = boundedText(1024, pointerRule)
  .regex(/^(?:\/(?:[^~/\p{Cc}]|~[01])*)*$/u, { message: pointerRule })
  .meta({ maxLength: 1024, description: aboutPlace });

const textRule = `must have 1 to ${maxCommentLength} characters, at least one of them visible`;
const Text = boundedText(4 * maxCommentLength, textRule)
  .transform((text) => text.trim().replaceAll("\r\n", "\n").normalize("NFC"))
  .refine((text) => hasVisibleCharacter(text) && [...text].length <= maxCommentLength, {
    message: textRule,
  })
  .meta({
    type: "string",
    minLength: 1,
    maxLength: maxCommentLength,
    description: said,
    ...textOf("lines"),
  });

export const NewPreviewComment = z.strictObject({
  pointer: Pointer.nullable().default(null),
  text: Text,
});

export const PreviewCommentChange = z.strictObject({
  pointer: Pointer.nullable().optional(),
  text: Text.optional(),
  resolved: z.boolean().optional().meta({ description: done }),
});

const byPeople = {
  ...inSession("comment"),
  credentials: ["session", "share"],
  scope: "site",
  permission: "preview.configuration.read",
} as const;

export const listPreviewComments = endpoint({
  ...byPeople,
  operation: "GET /pim/preview/{key}/comments",
  summary: "List the comments on a preview configuration, newest first",
  query: z.strictObject(pageQuery),
  answer: z.array(PreviewComment),
  codes: ["preview.not-found"],
});

export const createPreviewComment = endpoint({
  ...byPeople,
  operation: "POST /pim/preview/{key}/comments",
  summary: "Comment on a preview configuration, or on a place in it",
  status: 201,
  limits: { body: 32 * 1024 },
  body: NewPreviewComment,
  answer: PreviewComment,
  codes: ["preview.not-found", "preview.limit-reached"],
});

export const updatePreviewComment = endpoint({
  ...byPeople,
  operation: "PATCH /pim/preview/{key}/comments/{id}",
  summary: "Resolve a comment, or change one's own",
  limits: { body: 32 * 1024 },
  body: PreviewCommentChange,
  answer: PreviewComment,
  codes: ["preview.not-found", "preview.comment-not-found", "preview.comment-of-other"],
});

export const deletePreviewComment = endpoint({
  ...byPeople,
  operation: "DELETE /pim/preview/{key}/comments/{id}",
  summary: "Delete one's own comment; whoever may write the configuration deletes any",
  status: 204,
  codes: ["preview.not-found", "preview.comment-not-found", "preview.comment-of-other"],
});
