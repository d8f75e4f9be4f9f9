import { z } from "zod";
import {
  type PreviewProblem,
  type PreviewStage,
  previewStages,
} from "@/lib/protocol/documents/preview";
import { boundedText, Instant, listOf } from "@/lib/protocol/formats";
import { bodyProblems } from "@/lib/protocol/validation";
import { templateFault } from "./url-template";

const extended = "[a-z]{2,3}(?:-[a-z]{3}(?:-[a-z]{3}){0,2})?|[a-z]{4}|[a-z]{5,8}";
const variants = "(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*";
const extensions = "(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*";
const privateUse = "x(?:-[a-z0-9]{1,8})+";
const grandfathered =
  "en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de)|art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)";
const tag = new RegExp(
  `^(?:(?:${extended})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?${variants}${extensions}(?:-${privateUse})?|${privateUse}|${grandfathered})$`,
  "i",
);

const hasDouble = (parts: string[]) => new Set(parts).size < parts.length;
/** Longer than any tag that means something: extensions have no bound. */
const maxLength = 256;

/** Whether the text is a language tag by BCP 47 (RFC 5646): the grammar, and no variant or extension twice. */
export function isLanguageTag(text: string): boolean {
  if (text.length > maxLength || !tag.test(text)) return false;
  const [beforePrivate = ""] = text.toLowerCase().split(/(?:^|-)x-/);
  const parts = beforePrivate.split("-").slice(1);
  const firstExtension = parts.findIndex((part) => part.length === 1);
  const head = firstExtension < 0 ? parts : parts.slice(0, firstExtension);
  const repeatable = head.filter((part) => part.length >= 5 || /^\d\w{3}$/.test(part));
  return !hasDouble(repeatable) && !hasDouble(parts.filter((part) => part.length === 1));
}

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
