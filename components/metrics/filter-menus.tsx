import { Filter as FilterIcon } from "lucide-react";
import { type Message, msg, t } from "@/components/texts/t";
import type { MenuItem } from "@/components/ui/menu/item";
import { Menu } from "@/components/ui/menu/menu";
import { listedValues, type PageFilter } from "@/lib/features/metrics/values";
import type { Metadata } from "./load";
import { keyName } from "./series";
import type { MetricsState } from "./state";

interface FilterMenusProps {
  state: MetricsState;
  metadata: Metadata;
  onChange: (change: Partial<MetricsState>) => void;
}

/** In the order of the menu. Domains have a separate menu. */
const titles: Record<Exclude<PageFilter, "domain">, Message> = {
  statusClass: msg("Status"),
  site: msg("Site"),
  apiKey: msg("API key"),
  endpoint: msg("Endpoint"),
};
const further = Object.keys(titles) as (keyof typeof titles)[];

/** Chosen values stay on the list even if they do not occur today. */
const known = (values: string[], chosen: string[]) => [...new Set([...values, ...chosen])];

function items(
  state: MetricsState,
  filter: PageFilter,
  values: { value: string; label: string }[],
  onChange: FilterMenusProps["onChange"],
): MenuItem[] {
  const chosen = state[filter];
  return values.map(({ value, label }) => ({
    key: value,
    label,
    checked: chosen.includes(value),
    onSelect: () =>
      onChange({
        [filter]: chosen.includes(value)
          ? chosen.filter((one) => one !== value)
          : [...chosen, value],
      }),
  }));
}

const plain = (values: string[]) => values.map((value) => ({ value, label: value }));
const classes = ["2xx", "3xx", "4xx", "5xx"];
const count = (name: string, chosen: string[]) =>
  chosen.length === 0
    ? name
    : chosen.length === 1
      ? `${name}: ${chosen[0]}`
      : `${name}: ${chosen.length}`;

function choicesOf(filter: PageFilter, state: MetricsState, metadata: Metadata) {
  if (filter === "statusClass") return plain(classes);
  if (filter !== "apiKey") return plain(known(metadata[listedValues[filter]], state[filter]));
  const ids = metadata.apiKeys.map(({ id }) => id);
  return known(ids, state.apiKey).map((id) => ({
    value: id,
    label: keyName(metadata.apiKeys, id),
  }));
}

/** Filters by domain, and by every other dimension of a call. */
export function FilterMenus({ state, metadata, onChange }: FilterMenusProps) {
  const chosen = further.reduce((sum, filter) => sum + state[filter].length, 0);
  const group = (filter: PageFilter, title: string) => {
    const choices = choicesOf(filter, state, metadata);
    return choices.length > 0
      ? [{ key: filter, title, items: items(state, filter, choices, onChange) }]
      : [];
  };
  return (
    <>
      <Menu align="start" groups={group("domain", t("Domain"))}>
        {count(t("Domain"), state.domain)}
      </Menu>
      <Menu
        align="start"
        icon={<FilterIcon aria-hidden="true" className="size-4" />}
        groups={further.flatMap((filter) => group(filter, t(titles[filter])))}
      >
        {chosen === 0 ? t("Filters") : t("Filters: {count}", { count: chosen })}
      </Menu>
    </>
  );
}
