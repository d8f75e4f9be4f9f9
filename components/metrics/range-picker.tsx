"use client";

import { CalendarClock } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { presets, type Range, rangeName, readRelative } from "./range";
import type { MetricsState } from "./state";

type Chosen = Pick<MetricsState, "range" | "from" | "to">;

interface RangePickerProps {
  state: MetricsState;
  /** What is on screen, to begin an edit with. */
  range: Range;
  onChoose: (chosen: Chosen) => void;
}

/** A panel that closes with Esc and a click outside, and gives the focus back. */
function usePanel() {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      frame.current?.querySelector("button")?.focus();
    };
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("pointerdown", onPointer);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", onPointer);
    };
  }, [isOpen]);
  return { isOpen, setOpen, frame };
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
    <form onSubmit={submit} className="flex flex-col gap-2 border-t border-border pt-3">
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
    <form onSubmit={submit} className="flex flex-col gap-1">
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

/** Presets, words and instants. A preset moves along; instants stay. */
export function RangePicker({ state, range, onChoose }: RangePickerProps) {
  const { isOpen, setOpen, frame } = usePanel();
  const choose = (chosen: Chosen) => {
    setOpen(false);
    frame.current?.querySelector("button")?.focus();
    onChoose(chosen);
  };
  return (
    <div ref={frame} className="relative">
      <Button
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        icon={<CalendarClock aria-hidden="true" className="size-4" />}
      >
        {rangeName(state, state.zone)}
      </Button>
      {isOpen ? (
        <section
          aria-label={t("Range")}
          className="enter-rise absolute start-0 top-9 z-30 flex w-72 flex-col gap-3 rounded-card bg-bg p-3 shadow-float"
        >
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
        </section>
      ) : null}
    </div>
  );
}
