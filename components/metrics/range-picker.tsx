"use client";

import { CalendarClock } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/form/field";
import { zoneName } from "@/components/ui/instant-words";
import { PanelButton } from "./panel-button";
import { presets, type Range, rangeName, readRelative } from "./range";
import type { MetricsState } from "./state";

type Chosen = Pick<MetricsState, "range" | "from" | "to">;

interface RangePickerProps {
  state: MetricsState;
  /** The range on screen, as the initial values of an edit. */
  range: Range;
  /** The reader's zone. */
  own: string;
  onChoose: (chosen: Chosen) => void;
  onZone: (zone: string) => void;
}

const minuteText = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");

/** Instants are typed in UTC: the zone on screen never moves the range. */
function readInstant(text: string): string | undefined {
  const at = Date.parse(`${text.trim().replace(" ", "T")}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function AbsoluteFields({ range, onChoose }: { range: Range; onChoose: (chosen: Chosen) => void }) {
  const id = useId();
  const [from, setFrom] = useState(() => minuteText(range.from));
  const [to, setTo] = useState(() => minuteText(range.to));
  const [problem, setProblem] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [start, end] = [readInstant(from), readInstant(to)];
    if (!start || !end) setProblem(t("Enter both as 2026-11-21 14:00, in UTC."));
    else if (start >= end) setProblem(t("The start must be before the end."));
    else onChoose({ range: "", from: start, to: end });
  };
  return (
    <form
      method="post"
      onSubmit={submit}
      className="flex flex-col gap-2 border-t border-border pt-3"
    >
      <label htmlFor={`${id}-from`} className="text-body font-medium">
        {t("From, in UTC")}
      </label>
      <Input id={`${id}-from`} value={from} onChange={(event) => setFrom(event.target.value)} />
      <label htmlFor={`${id}-to`} className="text-body font-medium">
        {t("To, in UTC")}
      </label>
      <Input
        id={`${id}-to`}
        value={to}
        onChange={(event) => setTo(event.target.value)}
        aria-describedby={`${id}-problem`}
      />
      <p id={`${id}-problem`} role="status" className="text-meta text-danger">
        {problem}
      </p>
      <Button type="submit">{t("Show this range")}</Button>
    </form>
  );
}

function RelativeField({ onChoose }: { onChoose: (chosen: Chosen) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const range = readRelative(text);
    if (range) onChoose({ range, from: "", to: "" });
    else setProblem(t("Enter a length such as 3h or last 2 days."));
  };
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-1">
      <label htmlFor={id} className="text-body font-medium">
        {t("In words")}
      </label>
      <Input
        id={id}
        placeholder={t("last 3 hours")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-describedby={`${id}-problem`}
      />
      <p id={`${id}-problem`} role="status" className="text-meta text-danger">
        {problem}
      </p>
    </form>
  );
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

interface ZoneFieldProps {
  zone: string;
  own: string;
  onChange: (zone: string) => void;
}

function ZoneField({ zone, own, onChange }: ZoneFieldProps) {
  const id = useId();
  return (
    <p className="flex flex-col gap-2 border-t border-border pt-3">
      <label htmlFor={id} className="text-body font-medium">
        {t("Time zone")}
      </label>
      <Select id={id} value={zone} onChange={(event) => onChange(event.target.value)}>
        {[...new Set([...zones, own, zone])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </p>
  );
}

/** Presets, words and instants, and their time zone. A preset is relative to now; instants are fixed. */
export function RangePicker({ state, range, own, onChoose, onZone }: RangePickerProps) {
  return (
    <PanelButton
      label={`${rangeName(state, state.zone)} · ${zoneName(state.zone)}`}
      title={t("Range")}
      icon={<CalendarClock aria-hidden="true" className="size-4 shrink-0" />}
    >
      {(close) => {
        const choose = (chosen: Chosen) => {
          close();
          onChoose(chosen);
        };
        return (
          <>
            <ul className="grid grid-cols-2 gap-1">
              {presets.map(({ value, label }) => (
                <li key={value}>
                  <Button
                    size="small"
                    tone="quiet"
                    aria-pressed={state.range === value && !state.from}
                    onClick={() => choose({ range: value, from: "", to: "" })}
                  >
                    {t(label)}
                  </Button>
                </li>
              ))}
            </ul>
            <RelativeField onChoose={choose} />
            <AbsoluteFields range={range} onChoose={choose} />
            <ZoneField zone={state.zone} own={own} onChange={onZone} />
          </>
        );
      }}
    </PanelButton>
  );
}
