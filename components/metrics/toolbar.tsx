"use client";

import type { ReadersZone } from "@/components/shell/zone-cookie";
import { type Message, msg, plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { Select } from "@/components/ui/select";
import { FilterMenus } from "./filter-menus";
import type { MetricsData } from "./load";
import { periodOfLength } from "./picked-period";
import { RangePicker } from "./range-picker";
import { charts, type Grouping, type MetricsState, periods, withGrouping } from "./state";

interface ToolbarProps {
  state: MetricsState;
  data: MetricsData;
  readersZone: ReadersZone;
  onChange: (change: Partial<MetricsState>) => void;
  onRange: (change: Partial<MetricsState>) => void;
}

const zones = [
  "UTC",
  "Europe/London",
  "Europe/Paris",
  "America/New_York",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Tokyo",
  "Australia/Sydney",
];

const groupNames: Record<Grouping, Message> = {
  domain: msg("domain"),
  endpoint: msg("endpoint"),
  status: msg("status"),
  statusClass: msg("status class"),
  site: msg("site"),
  apiKey: msg("API key"),
  credentialKind: msg("credential"),
  method: msg("method"),
  user: msg("user"),
};

interface ZoneSelectProps {
  zone: string;
  own: string;
  onChange: (zone: string) => void;
}

function ZoneSelect({ zone, own, onChange }: ZoneSelectProps) {
  return (
    <Select
      aria-label={t("Time zone")}
      value={zone}
      onChange={(event) => onChange(event.target.value)}
    >
      {[...new Set([...zones, own, zone])].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Up to three, which stay open to be chosen one after the other. */
function GroupMenu({
  group,
  onChange,
}: {
  group: Grouping[];
  onChange: (group: Grouping[]) => void;
}) {
  const items = (Object.keys(groupNames) as Grouping[]).map((one) => ({
    key: one,
    label: t(groupNames[one]),
    checked: group.includes(one),
    onSelect: () =>
      onChange(
        group.includes(one) ? group.filter((other) => other !== one) : withGrouping(group, one),
      ),
  }));
  return (
    <Menu
      align="start"
      groups={[{ key: "group", title: t("Group by (up to 3)"), items }]}
      className="max-w-full"
    >
      <span className="truncate">
        {t("Group: {groups}", {
          groups: group.map((one) => t(groupNames[one])).join(", ") || t("none"),
        })}
      </span>
    </Menu>
  );
}

interface ChartSelectProps {
  chart: MetricsState["chart"];
  onChange: (chart: MetricsState["chart"]) => void;
}

function ChartSelect({ chart, onChange }: ChartSelectProps) {
  return (
    <Select
      aria-label={t("Chart")}
      value={chart}
      onChange={(event) => onChange(charts.find((one) => one === event.target.value) ?? "area")}
    >
      <option value="line">{t("Lines")}</option>
      <option value="area">{t("Stacked area")}</option>
      <option value="bar">{t("Bars")}</option>
      <option value="multiples">{t("Small multiples")}</option>
      <option value="heatmap">{t("Latency heatmap")}</option>
    </Select>
  );
}

const unitTexts: Record<string, (count: number) => string> = {
  minute: (count) => plural(count, "1 minute", "{count} minutes"),
  hour: (count) => plural(count, "1 hour", "{count} hours"),
  day: (count) => plural(count, "1 day", "{count} days"),
  week: (count) => plural(count, "1 week", "{count} weeks"),
  month: (count) => plural(count, "1 month", "{count} months"),
};

function periodName(period: string): string {
  const [count, unit = ""] = period.split("-");
  return unitTexts[unit]?.(Number(count)) ?? period;
}

/** The period of the buckets that were picked. */
function pickedPeriod([first, second]: string[]): string {
  const found = periodOfLength(Date.parse(second ?? "") - Date.parse(first ?? ""));
  return found ? t("{period} (auto)", { period: periodName(found) }) : t("Auto period");
}

/** What is asked, and how it is shown. All of it is in the address. */
export function Toolbar({ state, data, readersZone, onChange, onRange }: ToolbarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 print:hidden">
      <RangePicker
        key={`${state.from}${state.to}${state.range}`}
        state={state}
        range={data.range}
        onChoose={onRange}
      />
      <ZoneSelect
        zone={state.zone}
        own={readersZone.name}
        onChange={(zone) => onChange({ zone })}
      />
      <Select
        aria-label={t("Period")}
        value={state.period}
        onChange={(event) => onChange({ period: event.target.value })}
      >
        {periods.map((period) => (
          <option key={period} value={period}>
            {period === "auto" ? pickedPeriod(data.counts.times) : periodName(period)}
          </option>
        ))}
      </Select>
      <FilterMenus state={state} metadata={data.metadata} onChange={onChange} />
      <GroupMenu group={state.group} onChange={(group) => onChange({ group, off: [] })} />
      <ChartSelect chart={state.chart} onChange={(chart) => onChange({ chart })} />
      <Button
        tone="quiet"
        aria-pressed={state.compare}
        onClick={() => onChange({ compare: !state.compare })}
      >
        {state.compare ? t("Compare: previous") : t("Compare: off")}
      </Button>
      <Button
        tone="quiet"
        aria-pressed={state.live}
        onClick={() => onChange({ live: !state.live })}
      >
        {state.live ? t("Live: on") : t("Live: off")}
      </Button>
    </div>
  );
}
