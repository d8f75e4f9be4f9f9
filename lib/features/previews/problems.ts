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

/** More would say nothing new, and they are kept beside the configuration. */
const mostProblems = 100;
const longestTitle = 200;
const longestTemplate = 4096;
const longestList = 1000;

const UrlTemplate = boundedText(longestTemplate).superRefine((template, context) => {
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
const knownMembers = {
  title: z.string().max(longestTitle),
  enabled: z.boolean(),
  stage: z.enum(previewStages),
  urlTemplate: UrlTemplate,
  locales: listOf(
    z.string().refine(isLanguageTag, { message: "must be a language tag such as de-AT (BCP 47)" }),
    longestList,
  ),
  effectiveAt: Instant,
  viewports: listOf(Viewport, longestList),
};
const KnownMembers = z.object(knownMembers).partial();

/** What is wrong with the known members of a configuration, in document order. Never a reason to refuse it. */
export function problemsOf(configuration: Record<string, unknown>): PreviewProblem[] {
  const known = Object.fromEntries(
    Object.entries(configuration).filter(([name]) => Object.hasOwn(knownMembers, name)),
  );
  const parsed = KnownMembers.safeParse(known);
  return parsed.success ? [] : bodyProblems(parsed.error, known).slice(0, mostProblems);
}

/** What lists show of a configuration; null where it has nothing of the right type. */
export function summaryOf({ title, enabled, stage }: Record<string, unknown>) {
  const isText = typeof title === "string";
  return {
    title: isText
      ? [...title.slice(0, 2 * longestTitle).replace(/\p{Cc}/gu, " ")]
          .slice(0, longestTitle)
          .join("")
      : null,
    isEnabled: typeof enabled === "boolean" ? enabled : null,
    stage: previewStages.find((known): known is PreviewStage => known === stage) ?? null,
  };
}
