"use client";

import { type ComponentType, Suspense } from "react";
import { lazyPart } from "@/components/ui/lazy-part";

/*
 * Only a sandbox has sample traffic, for a week: other pages do not fetch its code.
 */

const load = () => import("./sample-traffic");

function samplePart<Props extends object>(find: () => Promise<ComponentType<Props>>) {
  const Part = lazyPart(find, { kind: "panel", isRare: true });
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, in a module, as React.lazy is
  return function SamplePart(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}

export const AddSampleTraffic = samplePart(() => load().then((module) => module.AddSampleTraffic));
export const SampleNote = samplePart(() => load().then((module) => module.SampleNote));
export const SampleStrip = samplePart(() => load().then((module) => module.SampleStrip));
export const SampleOffer = samplePart(() => load().then((module) => module.SampleOffer));
