"use client";

import { Suspense, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { useMayMark } from "./may-mark";

const MarkerDialog = lazyPart(
  () => import("./marker-dialog").then((module) => module.MarkerDialog),
  { isRare: true },
);

/** Opens the form of a marker, for those who may mark the charts of the whole tenant. */
export function AddMarker() {
  const mayMark = useMayMark();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayMark) return null;
  return (
    <>
      <Button
        onPointerEnter={MarkerDialog.preload}
        onFocus={MarkerDialog.preload}
        onClick={() => setIsOpen(true)}
      >
        {t("Add marker")}
      </Button>
      <Suspense>{isOpen ? <MarkerDialog onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}
