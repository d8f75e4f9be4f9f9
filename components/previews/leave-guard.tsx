"use client";

import { useRouter } from "next/navigation";
import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "@/components/ui/lazy-part";

const LeaveDialog = lazyPart(() => import("./leave-dialog").then((module) => module.LeaveDialog));

/** The portal address of a clicked link; undefined for every other click. */
function destinationOf(event: MouseEvent): string | undefined {
  const isPlain =
    event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest("a[href]") : undefined;
  if (
    !isPlain ||
    !(link instanceof HTMLAnchorElement) ||
    link.target ||
    link.hasAttribute("download")
  )
    return undefined;
  const isElsewhere =
    link.origin === window.location.origin && link.pathname !== window.location.pathname;
  return isElsewhere ? link.pathname + link.search + link.hash : undefined;
}

/** Confirms before a link, a reload or a closed tab leaves unsaved edits, which stay on the device in any case. */
export function LeaveGuard({ isKept }: { isKept: boolean }) {
  const router = useRouter();
  const [destination, setDestination] = useState<string>();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const hold = (event: MouseEvent) => {
      const wanted = destinationOf(event);
      if (wanted === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setDestination(wanted);
    };
    window.addEventListener("beforeunload", ask);
    document.addEventListener("click", hold, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", ask);
      document.removeEventListener("click", hold, { capture: true });
    };
  }, []);
  if (destination === undefined) return null;
  return (
    <Suspense>
      <LeaveDialog
        isKept={isKept}
        onStay={() => setDestination(undefined)}
        onLeave={() => router.push(destination)}
      />
    </Suspense>
  );
}
