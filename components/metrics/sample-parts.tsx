"use client";

import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import type * as sample from "./sample-traffic";

/*
 * Only a sandbox has sample traffic, for a week: other pages do not fetch its code.
 */

const load = () => import("./sample-traffic");
const rare = { kind: "panel", isRare: true } as const;

const Add = lazyPart(() => load().then((module) => module.AddSampleTraffic), rare);
const Note = lazyPart(() => load().then((module) => module.SampleNote), rare);
const Strip = lazyPart(() => load().then((module) => module.SampleStrip), rare);
const Offer = lazyPart(() => load().then((module) => module.SampleOffer), rare);

export const AddSampleTraffic = (props: ComponentProps<typeof sample.AddSampleTraffic>) => (
  <Suspense>
    <Add {...props} />
  </Suspense>
);

export const SampleNote = (props: ComponentProps<typeof sample.SampleNote>) => (
  <Suspense>
    <Note {...props} />
  </Suspense>
);

export const SampleStrip = (props: ComponentProps<typeof sample.SampleStrip>) => (
  <Suspense>
    <Strip {...props} />
  </Suspense>
);

export const SampleOffer = (props: ComponentProps<typeof sample.SampleOffer>) => (
  <Suspense>
    <Offer {...props} />
  </Suspense>
);
