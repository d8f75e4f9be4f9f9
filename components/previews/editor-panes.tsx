"use client";

import type { Node } from "jsonc-parser";
import { type KeyboardEvent, lazy, Suspense, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
import { FormView } from "./form-view";
import { LiveFrame } from "./live-frame";
import { ProblemList } from "./problem-list";
import type { PlacedProblem } from "./problems";

const JsonEditor = lazy(() =>
  import("./json-editor").then((module) => ({ default: module.JsonEditor })),
);

interface EditorPanesProps {
  text: string;
  root: Node | undefined;
  problems: PlacedProblem[];
  readOnly: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
}

const views = [
  ["form", "Form"],
  ["json", "JSON"],
] as const;

type View = (typeof views)[number][0];

/** Form or JSON on the left, the page on the right. Ctrl S saves from anywhere in them. */
export function EditorPanes({
  text,
  root,
  problems,
  readOnly,
  onChange,
  onSave,
}: EditorPanesProps) {
  const [view, setView] = useState<View>("form");
  const [wasOpened, setWasOpened] = useState(false);
  const [jump, setJump] = useState<{ offset: number }>();
  const open = (next: View) => {
    setView(next);
    if (next === "json") setWasOpened(true);
  };
  const saveOnKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    onSave();
  };
  const goTo = (problem: PlacedProblem) => {
    open("json");
    setJump({ offset: problem.offset });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut belongs to everything inside; each control works without it.
    <div className="grid items-start gap-4 lg:grid-cols-2" onKeyDown={saveOnKey}>
      <div className="min-w-0 rounded-card border border-border bg-bg">
        <ViewTabs view={view} onOpen={open} />
        <div id="view-form" role="tabpanel" aria-labelledby="tab-form" hidden={view !== "form"}>
          <FormView
            text={text}
            root={root}
            problems={problems}
            readOnly={readOnly}
            onChange={onChange}
          />
        </div>
        <div
          id="view-json"
          role="tabpanel"
          aria-labelledby="tab-json"
          hidden={view !== "json"}
          className="h-[32rem]"
        >
          {wasOpened ? (
            <Suspense fallback={<Skeleton className="m-3 h-[30rem]" />}>
              <JsonEditor
                text={text}
                readOnly={readOnly}
                problems={problems}
                onChange={onChange}
                jump={jump}
              />
            </Suspense>
          ) : null}
        </div>
        <ProblemList problems={problems} onOpen={goTo} />
      </div>
      <div className="min-w-0 rounded-card border border-border bg-bg">
        <LiveFrame root={root} />
      </div>
    </div>
  );
}

function ViewTabs({ view, onOpen }: { view: View; onOpen: (view: View) => void }) {
  const walk = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const next = view === "form" ? "json" : "form";
    onOpen(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label="View"
      className="flex border-b border-border px-2"
      onKeyDown={walk}
    >
      {views.map(([one, name]) => (
        <button
          key={one}
          id={`tab-${one}`}
          type="button"
          role="tab"
          aria-selected={view === one}
          aria-controls={`view-${one}`}
          tabIndex={view === one ? 0 : -1}
          className={classNames(
            "relative h-10 px-3 text-control -outline-offset-4",
            view === one
              ? "font-medium text-text after:absolute after:inset-x-3 after:-bottom-px after:h-0.5 after:bg-text"
              : "text-muted hover:text-text",
          )}
          onClick={() => onOpen(one)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
