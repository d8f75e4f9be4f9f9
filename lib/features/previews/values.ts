/** A key is part of URLs and file names: no separators, and no "." or "..". */
export const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Operations whose paths would collide with keys. */
const reserved: ReadonlySet<string> = new Set(["validate"]);

export function isPreviewKey(text: string): boolean {
  return keyPattern.test(text) && !reserved.has(text);
}

/** The maximum number of configurations in a release. */
export const maxReleaseEntries = 50;

/** How far ahead a release may be scheduled. */
export const maxReleaseAheadDays = 366;
