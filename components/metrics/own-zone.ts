"use client";

import { useSyncExternalStore } from "react";
import { usePortal } from "@/components/shell/portal";

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const never = () => () => undefined;

/** The zone of the browser; while the page is rendered on the server, UTC. */
export const useOwnZone = () => useSyncExternalStore(never, ownZone, () => "UTC");

/** The zone that the reader preferred, else the browser's. */
export function useReadersZone(): string {
  const { view } = usePortal();
  const own = useOwnZone();
  return view.preferences.timeZone || own;
}
