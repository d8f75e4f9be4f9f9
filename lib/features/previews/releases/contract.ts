import { z } from "zod";
import { maxReleaseEntries } from "@/lib/features/previews/values";
import { previewStages, releaseStates } from "@/lib/protocol/documents/preview";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { boundedText, Instant, InstantAnswer, Label, listOf } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

const Stage = z.enum(previewStages).meta({ description: "The stage that it gets" });

const ReleasedConfiguration = z.object({
  key: z.string().meta({ description: "Of a preview configuration" }),
  stage: Stage,
  version: z.int().meta({ description: "The revision that the release was made for" }),
  publishedVersion: z
    .int()
    .nullable()
    .meta({ description: "The revision with the stage; null until it is published" }),
});

const ReleaseFault = z.object({
  key: z.string().nullable().meta({ description: "null: about the release as a whole" }),
  code: z.string().meta({ description: "A code of errors" }),
  detail: z.string(),
});

export const Release = z.object({
  id: z.string(),
  name: z.string().meta({ description: "A text for people" }),
  state: z.enum(releaseStates).meta({
    description: "failed: it was due and nothing of it was published; problems says why",
  }),
  entries: z.array(ReleasedConfiguration).meta({ description: "What it changes" }),
  at: InstantAnswer.nullable().meta({ description: "When it is or was due; null: not scheduled" }),
  problems: z.array(ReleaseFault),
  createdAt: InstantAnswer,
  createdBy: z.string().meta({ description: "The id of a user" }),
  scheduledBy: z
    .string()
    .nullable()
    .meta({ description: "The id of the user on whose behalf it is published when it is due" }),
  endedAt: InstantAnswer.nullable().meta({ description: "When it was published or cancelled" }),
});
export type Release = z.infer<typeof Release>;

const Entry = z.strictObject({
  key: boundedText(128).meta({ description: "Of a preview configuration of the site" }),
  stage: Stage.default("live"),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "The revision that you saw: 409 where it is not the newest" }),
});

const Entries = listOf(Entry, maxReleaseEntries, 1).meta({
  description: "Each configuration once. The newest revisions are released, and no later ones",
});
const At = Instant.meta({ description: "When it is due, at most P366D ahead" });

export const NewRelease = z.strictObject({
  name: Label.meta({ description: "A text for people" }),
  entries: Entries,
  at: At.optional(),
});

export const ReleaseChange = z.strictObject({
  name: Label.optional().meta({ description: "A text for people" }),
  entries: Entries.optional(),
});

export const ReleasePublication = z.strictObject({ at: At.optional() });

const managed = {
  ...automation,
  scope: "site",
  permission: "preview.configuration.write",
} as const;

export const listReleases = endpoint({
  ...managed,
  operation: "GET /pim/releases",
  summary: "List the releases of a site, newest first",
  query: z.strictObject(pageQuery),
  answer: z.array(Release),
});

export const createRelease = endpoint({
  ...managed,
  operation: "POST /pim/releases",
  summary: "Create a release: configurations whose stages change together; `at` schedules it",
  status: 201,
  body: NewRelease,
  answer: Release,
  codes: ["release.conflict", "quota.exceeded"],
});

export const getRelease = endpoint({
  ...managed,
  operation: "GET /pim/releases/{id}",
  summary: "Show a release",
  answer: Release,
  conditional: "tag",
  codes: ["release.not-found"],
});

export const updateRelease = endpoint({
  ...managed,
  operation: "PATCH /pim/releases/{id}",
  summary: "Change a release before its end; new entries replace all and take the newest revisions",
  body: ReleaseChange,
  answer: Release,
  conditional: "tag",
  codes: ["release.not-found", "release.ended", "release.conflict"],
});

export const deleteRelease = endpoint({
  ...managed,
  operation: "DELETE /pim/releases/{id}",
  summary: "Delete a release; what it published stays",
  status: 204,
  conditional: "tag",
  codes: ["release.not-found"],
});

export const publishRelease = endpoint({
  ...managed,
  operation: "POST /pim/releases/{id}/publish",
  summary: "Publish a release now, or schedule it: all its configurations change, or none",
  body: ReleasePublication,
  isBodyOptional: true,
  answer: Release,
  codes: ["release.not-found", "release.ended", "release.conflict", "quota.exceeded"],
});

export const cancelRelease = endpoint({
  ...managed,
  operation: "POST /pim/releases/{id}/cancel",
  summary: "Cancel a release: it is never published",
  answer: Release,
  codes: ["release.not-found", "release.ended"],
});
