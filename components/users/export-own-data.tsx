"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { downloadText } from "@/components/ui/download-text";
import { CallError } from "@/lib/catalogue/client";

/** What this tenant keeps about the reader, as a file. */
export function ExportOwnData() {
  const { view, call } = usePortal();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const records = await call("GET /v1/user/profile/export", {});
      const text = JSON.stringify(records, null, 2);
      downloadText(text, `${view.tenant}-my-data.json`, "application/json");
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card
      id="my-data"
      title="Your data"
      description="Your profile, roles, preferences, sessions, API keys without secrets, and the audit entries by and about you, as a JSON file."
    >
      <Button
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={busy}
        onClick={() => void save()}
      >
        Export your data
      </Button>
      {error ? (
        <div className="mt-4">
          <CallFailed title="Your data was not exported" error={error} />
        </div>
      ) : null}
    </Card>
  );
}
