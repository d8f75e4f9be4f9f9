import { textOf } from "@/components/ui/form/use-action";
import type { Alert } from "@/lib/features/alerts/contract";
import { type AlertMeasure, alertMeasures, isRate } from "@/lib/features/alerts/values";

/** The fields that show their own errors. */
export const ruleFields = [
  "/name",
  "/measure",
  "/threshold",
  "/window",
  "/minimumCount",
  "/filter/site",
  "/filter/domain",
  "/filter/endpoint",
  "/filter/apiKey",
] as const;

const precise = (value: number) => Number(value.toPrecision(12));

/** A threshold as the form shows it: rates in percent. */
export const shownThreshold = (measure: AlertMeasure, threshold: number): number =>
  isRate(measure) ? precise(threshold * 100) : threshold;

/** The ids of the ticked users. */
export const recipientsOf = (form: FormData): string[] => form.getAll("mailTo").map(String);

/** The rule from the form, without its name and recipients. */
export function ruleOf(form: FormData) {
  const measure = alertMeasures.find((one) => one === textOf(form, "measure")) ?? "error-rate";
  const given = Number(textOf(form, "threshold"));
  const texts = (["site", "domain", "endpoint", "apiKey"] as const).flatMap((name) => {
    const text = textOf(form, name);
    return text === "" ? [] : [[name, text] as const];
  });
  const filter: Alert["filter"] = Object.fromEntries(texts);
  return {
    ...{ measure, filter, window: textOf(form, "window") },
    threshold: isRate(measure) ? precise(given / 100) : given,
    minimumCount: Number(textOf(form, "minimumCount")),
  };
}
