"use client";

import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { FilterMenus } from "./filter-menus";
import type { MetricsData } from "./load";
import { RangePicker } from "./range-picker";
import { charts, groupings, type MetricsState, periods } from "./state";

interface ToolbarProps {
  state: MetricsState;
  data: MetricsData;
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

const groupNames: Record<(typeof groupings)[number], string> = {
  "": "nothing",
  domain: "domain",
  endpoint: "endpoint",
  status: "status",
  statusClass: "status class",
  site: "site",
  apiKey: "API key",
  credentialKind: "credential",
  method: "method",
  user: "user",
};

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const never = () => () => undefined;

function ZoneSelect({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const own = useSyncExternalStore(never, ownZone, () => "UTC");
  return (
    <Select aria-label="Time zone" value={zone} onChange={(event) => onChange(event.target.value)}>
      {[...new Set([...zones, own, zone])].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}

const periodName = (period: string) => (period === "auto" ? "Auto period" : period.replace("-", " "));

/** What is asked, and how it is shown. All of it is in the address. */
export function Toolbar({ state, data, onChange, onRange }: ToolbarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <RangePicker key={`${state.from}${state.to}${state.range}`} state={state} range={data.range} onChoose={onRange} />
      <ZoneSelect zone={state.zone} onChange={(zone) => onChange({ zone })} />
      <Select aria-label="Period" value={state.period} onChange={(event) => onChange({ period: event.target.value })}>
        {periods.map((period) => (
          <option key={period} value={period}>
            {periodName(period)}
          </option>
        ))}
      </Select>
      <FilterMenus state={state} metadata={data.metadata} onChange={onChange} />
      <Select aria-label="Group by" value={state.group} onChange={(event) => onChange({ group: event.target.value, off: [] })}>
        {groupings.map((group) => (
          <option key={group} value={group}>
            Group: {groupNames[group]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Chart"
        value={state.chart}
        onChange={(event) => onChange({ chart: charts.find((one) => one === event.target.value) ?? "area" })}
      >
        <option value="line">Lines</option>
        <option value="area">Stacked area</option>
        <option value="bar">Bars</option>
      </Select>
      <Button tone="quiet" aria-pressed={state.compare} onClick={() => onChange({ compare: !state.compare })}>
        Compare: {state.compare ? "previous" : "off"}
      </Button>
      <Button tone="quiet" aria-pressed={state.live} onClick={() => onChange({ live: !state.live })}>
        Live: {state.live ? "on" : "off"}
      </Button>
    </div>
  );
}
