import { perProcess } from "./per-process";
import { type SettingName, settings } from "./setting-declarations";
import { unknownSettings } from "./unknown-settings";

type Value<N extends SettingName> = ReturnType<(typeof settings)[N]["parse"]>;

const parsed = perProcess(
  "settings",
  () => new Map<SettingName, { text: string | undefined; value: unknown }>(),
);

/** The environment is slow to read, and a running service keeps what it started with. */
const isKept = process.env.NODE_ENV === "production";

/** The setting's value. An empty one counts as not given. Throws in words when it is ill-formed. */
export function setting<N extends SettingName>(name: N): Value<N> {
  const known = parsed().get(name);
  if (known && isKept) return known.value as Value<N>;
  const text = process.env[name] || undefined;
  if (known && known.text === text) return known.value as Value<N>;
  try {
    const value = settings[name].parse(text) as Value<N>;
    parsed().set(name, { text, value });
    return value;
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads every setting, so that a start with an ill-formed or unknown one ends at once and says which. */
export function checkSettings(): void {
  const faults = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    try {
      setting(name);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  faults.push(...unknownSettings(Object.keys(process.env)));
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/** Where people and programs reach the product: for links, token issuers, cookies and the Origin check. Without a trailing slash. */
export function publicUrl(): string {
  return setting("PUBLIC_URL") ?? `http://localhost:${setting("PORT")}`;
}
