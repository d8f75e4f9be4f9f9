"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { errorText } from "@/components/ui/error-text";
import { whenIdle } from "@/components/ui/idle";
import { createPart } from "@/components/ui/part";
import { notify } from "@/components/ui/toast";
import type { ListState } from "./list-state";
import { asQuery } from "./users-query";

const saving = createPart(() => import("./save-users"));
whenIdle(saving.load);

/** All users that match the search and the filters, not only the page on screen. */
export function ExportUsers({ state }: { state: ListState }) {
  const { view, call } = usePortal();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { limit: _limit, cursor: _cursor, ...query } = asQuery(state);
      const users = await call("GET /v1/user/list", { site: state.site || undefined, query });
      const { saveUsers } = await saving.arrival();
      await saveUsers(users, view.tenant);
    } catch (error) {
      await notify(t("Export failed. {reason}", { reason: errorText(error) }));
    }
    setBusy(false);
  };
  return (
    <Button
      tone="quiet"
      busy={busy}
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => void save()}
    >
      {t("Export CSV")}
    </Button>
  );
}
