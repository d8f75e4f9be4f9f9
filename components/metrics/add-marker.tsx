"use client";

import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { siteOf } from "./metrics-query";

const MarkerDialog = lazyPart(
  () => import("./marker-dialog").then((module) => module.MarkerDialog),
  { isRare: true },
);

/** Opens the form of a marker, for those who may mark the charts of the whole tenant. */
export function AddMarker() {
  const { view } = usePortal();
  const [isOpen, setIsOpen] = useState(false);
  const { permissions, sites } = view;
  const mayMark =
    permissions.includes("api-metric.write") && siteOf(sites, permissions) === undefined;
  if (!mayMark) return null;
  return (
    <>
      <Button
        onPointerEnter={MarkerDialog.preload}
        onFocus={MarkerDialog.preload}
        onClick={() => setIsOpen(true)}
      >
        Add marker
      </Button>
      <Suspense>{isOpen ? <MarkerDialog onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}
