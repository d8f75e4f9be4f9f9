import type { MenuGroup, MenuItem } from "./item";

const textOf = ({ key, label }: MenuItem) =>
  `${typeof label === "string" ? label : ""} ${key}`.toLowerCase();

/** The entries whose label or key has every word that was typed, in their groups; a group without any is left out. */
export function matchingGroups(groups: readonly MenuGroup[], typed: string): MenuGroup[] {
  const words = typed.toLowerCase().split(/\s+/);
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter((item) => words.every((word) => textOf(item).includes(word))),
    }))
    .filter(({ items }) => items.length > 0);
}
