import { z } from "zod";
import {
  type PreviewProblem,
  type PreviewStage,
  previewStages,
} from "@/lib/protocol/documents/preview";
import { boundedText, Instant, listOf } from "@/lib/protocol/formats";
import { bodyProblems } from "@/lib/protocol/validation";
import { isLanguageTag } from "./language-tag";
import { templateFault } from "./url-template";

/** Problems are stored with the configuration, so their number is bounded. */
const maxProblems = 100;
const maxTitleLength = 200;
const maxTemplateLength = 4096;
const maxListLength = 1000;

const UrlTemplate = boundedText(maxTemplateLength).superRefine((template, context) => {
  const fault = templateFault(template);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

const Pixels = z.int().min(1).max(10_000);
const Viewport = z.object({
  width: Pixels,
  height: Pixels.optional(),
  name: z.string().optional(),
});

/** The members that this product knows; every other is the caller's own. */
const knownFields = {
  title: z.string().max(maxTitleLength),
  enabled: z.boolean(),
  stage: z.enum(previewStages),
  urlTemplate: UrlTemplate,
  locales: listOf(
    z.string().refine(isLanguageTag, { message: "must be a language tag such as de-AT (BCP 47)" }),
    maxListLength,
  ),
  effectiveAt: Instant,
  viewports: listOf(Viewport, maxListLength),
};
const KnownFields = z.object(knownFields).partial();

/** The problems in the known fields of a configuration, in document order. They never prevent saving. */
export function problemsOf(configuration: Record<string, unknown>): PreviewProblem[] {
  const known = Object.fromEntries(
    Object.entries(configuration).filter(([name]) => Object.hasOwn(knownFields, name)),
  );
  const parsed = KnownFields.safeParse(known);
  return parsed.success ? [] : bodyProblems(parsed.error, known).slice(0, maxProblems);
}

/** What lists show of a configuration; null where it has nothing of the right type. */
export function summaryOf({ title, enabled, stage }: Record<string, unknown>) {
  const isText = typeof title === "string";
  return {
    title: isText
      ? [...title.slice(0, 2 * maxTitleLength).replace(/\p{Cc}/gu, " ")]
          .slice(0, maxTitleLength)
          .join("")
      : null,
    isEnabled: typeof enabled === "boolean" ? enabled : null,
    stage: previewStages.find((known): known is PreviewStage => known === stage) ?? null,
  };
}
