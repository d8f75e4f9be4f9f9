import { perProcess } from "./per-process";
import { type SettingName, settings } from "./setting-declarations";

const names = Object.keys(settings) as SettingName[];

/** Variables that Kubernetes and Docker add for a service with the name of this product: they are no settings. */
const serviceLink =
  /_(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?|NAME|ENV_.*)$/;

/** Whether the names differ by one added, missing or different letter, or by two swapped ones. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [left, right] = [a.slice(start), b.slice(start)];
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

const ownPrefix = /^GATEHOUSE_/i;

/** The setting that a variable was probably meant to be. Short names are too similar to those of other programs, such as HOST and HOME. */
function meantBy(variable: string): SettingName | undefined {
  const upper = variable.toUpperCase();
  const bare = upper.replace(ownPrefix, "");
  return names.find(
    (name) =>
      name === bare ||
      (name.includes("_") && (upper === name || (name.length > 7 && isOneSlipAway(bare, name)))),
  );
}

/** Variables of the environment that look like settings but are unknown, each with a message. */
function unknownSettings(variables: readonly string[]): string[] {
  return variables.flatMap((variable) => {
    if (Object.hasOwn(settings, variable)) return [];
    if (ownPrefix.test(variable) && serviceLink.test(variable)) return [];
    const meant = meantBy(variable);
    if (meant !== undefined)
      return [`${variable}: there is no such setting. Did you mean ${meant}?`];
    return ownPrefix.test(variable)
      ? [`${variable}: there is no such setting. docs/operations/settings.md lists all of them.`]
      : [];
  });
}

type Value<N extends SettingName> = ReturnType<(typeof settings)[N]["parse"]>;

const parsed = perProcess(
  "settings",
  () => new Map<SettingName, { text: string | undefined; value: unknown }>(),
);

/** Reading the environment is slow, and a running service keeps the values of its start. */
const isKept = process.env.NODE_ENV === "production";

/** The setting's value. An empty one counts as not set. Throws a message if it is invalid. */
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

/** Reads every setting, so that a start with an invalid or unknown one ends at once and reports it. */
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

/** The public address of the product: for links, token issuers, cookies and the Origin check. Without a trailing slash. */
export function publicUrl(): string {
  return setting("PUBLIC_URL") ?? `http://localhost:${setting("PORT")}`;
}
