import { z } from "zod";
import { boundedText } from "@/lib/protocol/formats";
import { isTimeZone } from "@/lib/protocol/time-zones";

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** How the portal displays values to one user in one tenant; an absent field means the browser's setting. */
export const Preferences = z
  .strictObject({
    timeZone: boundedText(64)
      .refine(isTimeZone, { message: "must be a time zone such as Europe/Berlin" })
      .optional(),
    language: z.enum(["en", "de"]).optional(),
    locale: boundedText(64)
      .refine(isLocale, { message: "must be a language tag such as en-GB" })
      .optional(),
    theme: z.enum(["light", "dark", "system"]).optional(),
    density: z.enum(["comfortable", "compact"]).optional(),
  })
  .meta({ id: "Preferences" });

export type Preferences = z.infer<typeof Preferences>;
