"use client";

import { SlidersHorizontal } from "lucide-react";
import type { ReadersZone } from "@/components/shell/cookies";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, plural, t } from "@/components/texts/t";
import { classNames } from "@/components/ui/class-names";
import { Select } from "@/components/ui/form/field";
import { Menu } from "@/components/ui/menu/menu";
import { FilterMenus } from "./filter-menus";
import { firstCounted, type MetricsData } from "./load";
import { PanelButton } from "./panel-button";
import { RangePicker } from "./range-picker";
import { chartSeries } from "./series";
import { Share } from "./share";
import {
  charts,
  type Grouping,
  type MetricsState,
  periodOfLength,
  periods,
  withGrouping,
} from "./state";

interface ToolbarProps {
  state: MetricsState;
  data: MetricsData;
  readersZone: ReadersZone;
  onChange: (change: Partial<MetricsState>) => void;
  onRange: (change: Partial<MetricsState>) => void;
}

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

/** Up to three groupings; the menu stays open between choices. */
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

/** The chosen bucket length. */
function pickedPeriod([first, second]: string[]): string {
  const found = periodOfLength(Date.parse(second ?? "") - Date.parse(first ?? ""));
  return found ? t("{period} (auto)", { period: periodName(found) }) : t("Auto period");
}

function PeriodSelect({
  state,
  data,
  onChange,
}: Pick<ToolbarProps, "state" | "data" | "onChange">) {
  return (
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
  );
}

interface ToggleProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Toggle({ label, isOn, onChange }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      onClick={() => onChange(!isOn)}
      className="inline-flex h-8 items-center gap-2 rounded-control px-2 text-control hover:bg-subtle"
    >
      <span
        aria-hidden="true"
        className={classNames(
          "flex h-4 w-7 items-center rounded-full border px-px",
          isOn ? "justify-end border-accent bg-accent" : "border-border-strong bg-subtle",
        )}
      >
        <span
          className={classNames(
            "size-3 rounded-full",
            isOn ? "bg-bg" : "border border-muted bg-bg",
          )}
        />
      </span>
      {label}
    </button>
  );
}

/** Controls for buckets, layout and export. */
function More({ state, data, onChange }: Pick<ToolbarProps, "state" | "data" | "onChange">) {
  const onView = () => onChange({ view: state.view === "table" ? "chart" : "table" });
  const { siteNames } = usePortal().view;
  const series = () =>
    chartSeries(data.counts, { ...data.metadata, siteNames }, firstCounted(data));
  return (
    <PanelButton
      label={t("More")}
      title={t("Display and export")}
      align="end"
      icon={<SlidersHorizontal aria-hidden="true" className="size-4 shrink-0" />}
    >
      {() => (
        <>
          <PeriodSelect {...{ state, data, onChange }} />
          <ChartSelect chart={state.chart} onChange={(chart) => onChange({ chart })} />
          <Share state={state} data={data} series={series()} onView={onView} />
        </>
      )}
    </PanelButton>
  );
}

/** The controls of the query and its presentation. All state is in the address. */
export function Toolbar({ state, data, readersZone, onChange, onRange }: ToolbarProps) {
  return (
    <div className="relative mb-4 flex flex-wrap items-center gap-2 print:hidden">
      <RangePicker
        key={`${state.from}${state.to}${state.range}`}
        state={state}
        range={data.range}
        own={readersZone.name}
        onChoose={onRange}
        onZone={(zone) => onChange({ zone })}
      />
      <FilterMenus state={state} metadata={data.metadata} onChange={onChange} />
      <GroupMenu group={state.group} onChange={(group) => onChange({ group, off: [] })} />
      <span className="hidden flex-1 lg:block" />
      <Toggle
        label={t("Compare")}
        isOn={state.compare}
        onChange={(compare) => onChange({ compare })}
      />
      <Toggle label={t("Live")} isOn={state.live} onChange={(live) => onChange({ live })} />
      <More {...{ state, data, onChange }} />
    </div>
  );
}
