"use client";

import type { Node } from "jsonc-parser";
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { msg, t } from "@/components/texts/t";
import { classNames } from "@/components/ui/class-names";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { TabLabel } from "@/components/ui/tab-label";
import { FormView } from "./form-view";
import { nodeAt } from "./json-document";
import { LiveFrame } from "./live-frame";
import { ProblemList } from "./problem-list";
import type { PlacedProblem } from "./problems";

const ChangesView = lazyPart(() => import("./changes-view").then((module) => module.ChangesView), {
  kind: "panel",
  isRare: true,
});

const JsonEditor = lazyPart(() => import("./json-editor").then((module) => module.JsonEditor), {
  kind: "panel",
});

interface EditorPanesProps {
  text: string;
  /** The text that the edits are based on. */
  base: string;
  root: Node | undefined;
  problems: PlacedProblem[];
  readOnly: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
  /** The product's own address. */
  origin: string;
  /** Renders the part below, with the pointer that was clicked last and a function that shows another. */
  below: (place: string | undefined, show: (pointer: string) => void) => ReactNode;
}

const views = [
  ["form", msg("Form")],
  ["json", msg("JSON")],
  ["changes", msg("Changes")],
] as const;

type View = (typeof views)[number][0];

/** The open view, and the place in the text that it shows. */
function usePlaces(root: Node | undefined) {
  const [view, setView] = useState<View>("form");
  const [wasOpened, setWasOpened] = useState(false);
  const [jump, setJump] = useState<{ offset: number }>();
  const [place, setPlace] = useState<string>();
  const open = (next: View) => {
    setView(next);
    if (next === "json") setWasOpened(true);
  };
  const goTo = ({ offset }: { offset: number }) => {
    open("json");
    setJump({ offset });
  };
  const show = (pointer: string) => {
    setPlace(pointer);
    if (root) goTo(nodeAt(root, pointer));
  };
  return { view, wasOpened, jump, place, open, goTo, show };
}

/** Form or JSON on the left, the page on the right. Ctrl S in either of them saves. */
export function EditorPanes(props: EditorPanesProps) {
  const { text, base, root, problems, readOnly, onChange, onSave } = props;
  const { view, wasOpened, jump, place, open, goTo, show } = usePlaces(root);
  const panes = useSaveKey(onSave);
  return (
    <>
      <div ref={panes} className="grid items-start gap-4 lg:grid-cols-2">
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
          <CodePanel view="json" isHidden={view !== "json"}>
            {wasOpened ? (
              <JsonEditor
                text={text}
                root={root}
                readOnly={readOnly}
                problems={problems}
                onChange={onChange}
                jump={jump}
              />
            ) : null}
          </CodePanel>
          <CodePanel view="changes" isHidden={view !== "changes"}>
            {view === "changes" ? <Changes before={base} after={text} /> : null}
          </CodePanel>
          <ProblemList problems={problems} onOpen={goTo} />
        </div>
        <div className="min-w-0 rounded-card border border-border bg-bg">
          <LiveFrame root={root} origin={props.origin} onPick={show} />
        </div>
      </div>
      {props.below(place, show)}
    </>
  );
}

/** Ctrl S saves from anywhere inside the element that the returned ref is given to. */
function useSaveKey(onSave: () => void) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    const saveOnKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      onSave();
    };
    element?.addEventListener("keydown", saveOnKey);
    return () => element?.removeEventListener("keydown", saveOnKey);
  }, [onSave]);
  return place;
}

function Changes({ before, after }: { before: string; after: string }) {
  if (before === after) return <p className="p-4 text-muted">{t("Nothing is changed.")}</p>;
  return <ChangesView before={before} after={after} />;
}

interface CodePanelProps {
  view: View;
  isHidden: boolean;
  children: ReactNode;
}

function CodePanel({ view, isHidden, children }: CodePanelProps) {
  return (
    <div
      id={`view-${view}`}
      role="tabpanel"
      aria-labelledby={`tab-${view}`}
      hidden={isHidden}
      className="h-[32rem]"
    >
      <Suspense fallback={<Skeleton className="m-3 h-[30rem]" />}>{children}</Suspense>
    </div>
  );
}

function ViewTabs({ view, onOpen }: { view: View; onOpen: (view: View) => void }) {
  const walk = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const step = event.key === "ArrowRight" ? 1 : -1;
    const at = views.findIndex(([one]) => one === view) + step + views.length;
    const [next] = views[at % views.length] ?? views[0];
    onOpen(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label={t("View")}
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
          <TabLabel>{t(name)}</TabLabel>
        </button>
      ))}
    </div>
  );
}
