import type { DayOfChanges } from "@/components/docs/change-list";
import { type Addition, changelog } from "@/lib/catalogue/changelog";
import { findReference } from "@/lib/catalogue/operations";

const titles: [kind: Addition["kind"], title: string][] = [
  ["operation", "Operations"],
  ["parameter", "Parameters"],
  ["field", "Fields"],
  ["value", "Values"],
  ["credential", "Credentials"],
  ["error", "Errors"],
  ["event", "Event types"],
];

/** The changelog, with the additions of a day grouped by kind. */
export function changesByKind(): DayOfChanges[] {
  return changelog().map(({ date, additions }) => ({
    date,
    groups: titles.flatMap(([kind, title]) => {
      const changes = additions
        .filter((one) => one.kind === kind)
        .map(({ added, at }) => ({
          added,
          at: at.map((place) => ({ place, href: findReference(place) })),
        }));
      return changes.length > 0 ? [{ title, changes }] : [];
    }),
  }));
}
