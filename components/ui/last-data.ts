"use client";

import { useState } from "react";
import { CallError } from "@/lib/catalogue/client";

interface Found<Data> {
  data: Data | undefined;
  error: Error | null;
}

/** Whether there was no response at all. */
export const isUnreachable = (error: unknown) =>
  error instanceof CallError && error.code === "network.unreachable";

/** Whether the same request may succeed later: the service did not answer, was overloaded or failed. */
export function mayPass(error: Error | null): boolean {
  return (
    error instanceof CallError &&
    (error.code === "network.unreachable" || error.status === 429 || error.status >= 500)
  );
}

/** The data of a query; after a temporary failure, the previous data. */
export function useLastData<Data>({ data, error }: Found<Data>): Data | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? (mayPass(error) ? last : undefined);
}
