"use client";

import { Download } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { downloadText } from "@/components/ui/download-text";
import { useAction } from "@/components/ui/form/use-action";

/** What this tenant keeps about the reader, as a file. */
export function ExportOwnData() {
  const { view, call } = usePortal();
  const { busy, error, run } = useAction(async () => {
    const records = await call("GET /v1/user/profile/export", {});
    const text = JSON.stringify(records, null, 2);
    downloadText(text, `${view.tenant}-my-data.json`, "application/json");
  });
  return (
    <Card
      id="my-data"
      title={t("Your data")}
      description={t(
        "Your profile, roles, preferences, sessions, API keys without secrets, comments on previews, and the audit entries by and about you, as a JSON file.",
      )}
    >
      <Button
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={busy}
        onClick={() => void run()}
      >
        {t("Export your data")}
      </Button>
      {error ? (
        <div className="mt-4">
          <CallFailed title={t("Your data was not exported")} error={error} />
        </div>
      ) : null}
    </Card>
  );
}
