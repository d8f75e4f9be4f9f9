"use client";

import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import { stepUpGate } from "./step-up-gate";

const StepUpDialog = lazyPart(() =>
  import("./step-up-dialog").then((module) => module.StepUpDialog),
);

const ProviderStepUpDialog = lazyPart(
  () => import("./provider-step-up-dialog").then((module) => module.ProviderStepUpDialog),
  { isRare: true },
);

/** Asks for a proof of identity in a dialog over the page, so that no input is lost. */
export function StepUp() {
  const kind = useSyncExternalStore(stepUpGate.subscribe, stepUpGate.asked, () => undefined);
  return kind === undefined ? null : (
    <Suspense>
      {kind.includes(".") ? (
        <ProviderStepUpDialog providerId={kind} />
      ) : (
        <StepUpDialog kind={kind} />
      )}
    </Suspense>
  );
}
