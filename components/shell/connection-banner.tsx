"use client";

import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { use, useEffect, useSyncExternalStore } from "react";
import { t } from "@/components/texts/t";
import { InstantChoices } from "@/components/ui/instant";
import { dayAndTime, zoneName } from "@/components/ui/instant-words";
import { connection } from "./connection";

/** Shows that the service is unreachable, and the time of the last update of the data on screen. */
export function ConnectionBanner() {
  const lostAt = useSyncExternalStore(connection.subscribe, connection.lostAt, () => undefined);
  const queries = useQueryClient();
  const { timeZone, locale } = use(InstantChoices);
  useEffect(() => {
    if (lostAt === undefined) return;
    return () => void queries.invalidateQueries();
  }, [lostAt, queries]);
  return (
    <div role="status">
      {lostAt === undefined ? null : (
        <p className="flex items-center justify-center gap-2 bg-warning-bg px-4 py-2 text-body text-warning">
          <WifiOff aria-hidden="true" className="size-4" />
          {t(
            "No connection. The data is as of {dayAndTime} {zoneName}; this page reconnects automatically.",
            {
              dayAndTime: dayAndTime(new Date(lostAt), timeZone, locale),
              zoneName: zoneName(timeZone),
            },
          )}
        </p>
      )}
    </div>
  );
}
