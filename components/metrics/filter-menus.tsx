import { Filter as FilterIcon } from "lucide-react";
import { t } from "@/components/texts/t";
import type { MenuItem } from "@/components/ui/menu/item";
import { Menu } from "@/components/ui/menu/menu";
import type { Metadata } from "./load";
import { keyName } from "./series";
import type { MetricsState, PageFilter } from "./state";

interface FilterMenusProps {
  state: MetricsState;
  metadata: Metadata;
  onChange: (change: Partial<MetricsState>) => void;
}

/** What was chosen stays on the list, whether it is met with today or not. */
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

/** Filters by domain, and by every other dimension of a call. */
export function FilterMenus({ state, metadata, onChange }: FilterMenusProps) {
  const keys = known(
    metadata.apiKeys.map(({ id }) => id),
    state.apiKey,
  );
  const further =
    state.site.length + state.endpoint.length + state.statusClass.length + state.apiKey.length;
  const group = (filter: PageFilter, title: string, values: { value: string; label: string }[]) =>
    values.length > 0
      ? [{ key: filter, title, items: items(state, filter, values, onChange) }]
      : [];
  return (
    <>
      <Menu
        align="start"
        groups={group("domain", t("Domain"), plain(known(metadata.domains, state.domain)))}
      >
        {count(t("Domain"), state.domain)}
      </Menu>
      <Menu
        align="start"
        icon={<FilterIcon aria-hidden="true" className="size-4" />}
        groups={[
          ...group("statusClass", t("Status"), plain(classes)),
          ...group("site", t("Site"), plain(known(metadata.sites, state.site))),
          ...group(
            "apiKey",
            t("API key"),
            keys.map((id) => ({ value: id, label: keyName(metadata.apiKeys, id) })),
          ),
          ...group("endpoint", t("Endpoint"), plain(known(metadata.endpoints, state.endpoint))),
        ]}
      >
        {further === 0 ? t("Filters") : t("Filters: {count}", { count: further })}
      </Menu>
    </>
  );
}
