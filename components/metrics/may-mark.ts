"use client";

import { usePortal } from "@/components/shell/portal";
import { siteOf } from "./metrics-query";

/** Whether the person may mark the charts, which takes the permission in the whole tenant: everybody sees a marker. */
export function useMayMark(): boolean {
  const { permissions, sites } = usePortal().view;
  return permissions.includes("api-metric.write") && siteOf(sites, permissions) === undefined;
}
