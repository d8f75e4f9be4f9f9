"use client";

import { type KeyboardEvent, useId, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { CodeBlock } from "@/components/ui/code-block";

interface SampleTabsProps {
  samples: { label: string; code: string }[];
}

/** The same call in several languages, one at a time. */
export function SampleTabs({ samples }: SampleTabsProps) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const sample = samples[chosen];
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div>
      <div role="tablist" aria-label="Language" className="mb-2 flex gap-1" onKeyDown={move}>
        {samples.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            className={classNames(
              "h-7 rounded-control px-2.5 text-body",
              index === chosen ? "bg-subtle font-medium text-text" : "text-muted hover:text-text",
            )}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {sample ? <CodeBlock code={sample.code} label={`the call in ${sample.label}`} /> : null}
      </div>
    </div>
  );
}
