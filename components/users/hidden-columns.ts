"use client";

import { useKept } from "@/components/ui/kept";

const parts = (text: string) => text.split(",").filter((one) => one !== "" && one !== "none");

/** The columns that are not shown: as the address says, and where it says nothing as this browser had them last. */
export function useHiddenColumns(
  asked: string,
  onAsk: (hide: string) => void,
): [string[], (columns: string[]) => void] {
  const [kept, setKept] = useKept("users.hidden", "");
  const hide = (columns: string[]) => {
    setKept(columns.join(","));
    if (asked) onAsk(columns.join(",") || "none");
  };
  return [parts(asked || kept), hide];
}
