"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import type { AuditVerification } from "@/lib/features/audit/contract";

const problems: Record<NonNullable<AuditVerification["broken"]>["problem"], string> = {
  missing: "is missing",
  link: "does not follow the one before",
  content: "was changed",
  address: "has another address than was written",
  agent: "has another agent than was written",
  head: "is not the newest that was written",
  checkpoint: "ends what is no longer kept, and is not signed by this service",
};

/** Computes the whole chain again, in parts where it is long, and says what it found. */
export function VerifyTrail() {
  const { call } = usePortal();
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<AuditVerification>();
  const [error, setError] = useState<Error>();
  const verify = async () => {
    setBusy(true);
    setError(undefined);
    try {
      let part = await call("GET /v1/audit/verify", {});
      for (let entries = part.entries; part.valid && !part.complete; entries = part.entries) {
        const next = await call("GET /v1/audit/verify", {
          query: { after: String(part.checkedTo) },
        });
        part = { ...next, entries: entries + next.entries };
      }
      setFound(part);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-y-2">
      <span role="status" className="min-w-0 not-empty:mr-2">
        {found ? <Finding found={found} /> : null}
      </span>
      <Button busy={busy} onClick={() => void verify()}>
        Verify chain
      </Button>
      {error ? <CallFailed title="The chain was not verified" error={error} /> : null}
    </div>
  );
}

function Finding({ found: { valid, entries, broken, checkpoint } }: { found: AuditVerification }) {
  if (valid) {
    const before = checkpoint ? `, and what is before entry ${checkpoint.seq + 1} is signed` : "";
    return (
      <Badge
        tone="success"
        dot
      >{`${entries} ${entries === 1 ? "entry" : "entries"} as written${before}`}</Badge>
    );
  }
  return (
    <span className="text-body font-medium text-danger">
      Entry {broken?.seq} {broken?.id ? <code className="text-meta">{broken.id}</code> : null}{" "}
      {problems[broken?.problem ?? "content"]}.
    </span>
  );
}
