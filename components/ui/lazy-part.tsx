"use client";

import { type ComponentType, type ReactNode, use, useSyncExternalStore } from "react";
import { msg, t } from "@/components/texts/t";
import { whenIdle } from "./idle";
import { createPart, type PartFailure } from "./part";

interface PartOptions<Props> {
  /** `overlay`: a dialog, whose notice floats at the bottom; `panel`: a part of the page, whose notice takes its place. */
  kind?: "overlay" | "panel";
  /** Not prefetched: for large parts that are rarely opened. */
  isRare?: boolean;
  /** The placeholder until it has loaded. */
  meanwhile?: (props: Props) => ReactNode;
}

/**
 * A component whose code loads later: prefetched when the page is idle unless it is rare, and retried until it has loaded. It
 * suspends until the first attempt is over; after a failure a notice takes its place until a retry succeeds.
 *
 * @example const InviteDialog = lazyPart(() => import("./invite-dialog").then((module) => module.InviteDialog));
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { kind = "overlay", isRare = false, meanwhile }: PartOptions<Props> = {},
) {
  const part = createPart(load);
  if (!isRare) whenIdle(part.load);
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, in a module, as React.lazy is
  function LazyPart(props: Props) {
    const failure = useSyncExternalStore(part.subscribe, part.failure, () => undefined);
    const Component = part.module();
    if (Component) return <Component {...props} />;
    if (failure === undefined) use(part.load());
    return (
      <>
        {meanwhile?.(props)}
        {failure ? <PartMissing failure={failure} kind={kind} onRetry={part.retry} /> : null}
      </>
    );
  }
  /** Starts loading before it is shown, for example when a pointer comes near. */
  return Object.assign(LazyPart, { preload: () => void part.load() });
}

const places = {
  overlay:
    "fixed inset-x-3 bottom-4 z-50 mx-auto max-w-md rounded-card border border-border bg-bg shadow-float",
  panel: "rounded-control bg-warning-bg",
};

const texts = {
  unreachable: {
    title: msg("This part of the page has not loaded"),
    detail: msg("It appears as soon as the service can be reached. Nothing you typed is lost."),
    action: msg("Try again"),
  },
  replaced: {
    title: msg("A new version is available"),
    detail: msg("Reload the page to continue. What you typed into forms is kept."),
    action: msg("Reload page"),
  },
};

interface PartMissingProps {
  failure: PartFailure;
  kind: "overlay" | "panel";
  onRetry: () => void;
}

/** The notice that code could not be loaded. Plain, because it is part of every page's bundle. */
function PartMissing({ failure, kind, onRetry }: PartMissingProps) {
  const { title, detail, action } = texts[failure];
  const act = failure === "replaced" ? () => window.location.reload() : onRetry;
  return (
    <div role="alert" className={`px-3 py-2.5 text-body ${places[kind]}`}>
      <p className="font-medium">{t(title)}</p>
      <p className="text-muted">{t(detail)}</p>
      <button
        type="button"
        onClick={act}
        className="mt-2 h-7 rounded-control border border-border-strong bg-bg px-2 font-medium text-text hover:bg-subtle"
      >
        {t(action)}
      </button>
    </div>
  );
}
