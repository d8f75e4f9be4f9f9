import type { z } from "zod";
import { type Caller, siteOfScope } from "@/lib/access/caller";
import type { MinuteQuery } from "@/lib/features/metrics/minutes";
import type { AlertFilter } from "@/lib/protocol/documents/alert";
import { invalid, type Problem } from "@/lib/protocol/errors";
import type { NewAlert } from "./contract";
import type { Condition } from "./evaluate";
import { maxThreshold, maxWindowMinutes, minWindowMinutes } from "./values";

type Given = Omit<z.output<typeof NewAlert>, "name" | "mailTo">;

/** The filter and the condition of a rule. */
export interface Rule extends Condition {
  filter: AlertFilter;
}

/** Restricts the filter to the site of a caller with authority at one site. Throws 400 for another or an unknown site. */
function filterOf(
  only: string | undefined,
  caller: Caller,
  given: AlertFilter,
  problems: Problem[],
): AlertFilter {
  const { site = only } = given;
  if (site !== undefined && !caller.siteIds.has(site))
    problems.push({
      pointer: "/filter/site",
      detail: "/filter/site must be a site of the tenant.",
    });
  else if (only !== undefined && site !== only)
    problems.push({
      pointer: "/filter/site",
      detail: `/filter/site must be ${only}: the permission holds there alone.`,
    });
  return site === undefined ? given : { ...given, site };
}

/** Validates the given rule; `permission` decides for which sites the caller may have rules. Throws 400. */
export function ruleOf(
  caller: Caller,
  given: Given,
  permission: "api-metric.read" | "api-metric.write",
): Rule {
  const { measure, threshold, window, minimumCount } = given;
  const problems: Problem[] = [];
  const filter = filterOf(siteOfScope(caller, permission), caller, given.filter, problems);
  const windowMinutes = window / 60;
  if (
    !Number.isInteger(windowMinutes) ||
    windowMinutes < minWindowMinutes ||
    windowMinutes > maxWindowMinutes
  )
    problems.push({
      pointer: "/window",
      detail: "/window must be whole minutes from PT5M to PT6H.",
    });
  if (threshold > maxThreshold(measure))
    problems.push({
      pointer: "/threshold",
      detail: `/threshold must be at most ${maxThreshold(measure)} for ${measure}.`,
    });
  if (problems.length > 0) throw invalid(problems);
  return { measure, filter, threshold, windowMinutes, minimumCount };
}

/** The filter in the format of metric queries. */
export const filtersOf = (filter: AlertFilter): MinuteQuery["filters"] =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([dimension, value]) =>
      value === undefined ? [] : [[dimension, [value]]],
    ),
  );
