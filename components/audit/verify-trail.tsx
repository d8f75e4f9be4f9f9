"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import type { AuditVerification } from "@/lib/features/audit/contract";

const problems: Record<NonNullable<AuditVerification["broken"]>["problem"], string> = {
  missing: "is missing",
  erased: "and those after it were deleted before their retention ended",
  truncated: "and those after it were deleted: a signed head covers them",
  link: "does not follow the entry before it",
  content: "was changed",
  mac: "was not written by this service: its MAC is wrong",
  key: "is authenticated with an unknown key. Add the earlier key to SECRET_KEY_PREVIOUS",
  unkeyed: "has no MAC, although entries before it have one",
  personal: "has another name or e-mail address than was recorded",
  address: "has another address than was recorded",
  agent: "has another agent than was recorded",
  head: "is not the newest entry that was recorded",
  "signed-head": "differs from its signed head, or the head is forged",
  checkpoint: "ends the pruned part, and its signature is wrong",
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

function Finding({
  found: { valid, entries, broken, checkpoint, signed },
}: {
  found: AuditVerification;
}) {
  if (valid) {
    const pruned = checkpoint ? `, pruned before entry ${checkpoint.seq + 1}` : "";
    const head = signed ? `, signed up to entry ${signed.seq}` : "";
    return (
      <Badge
        tone="success"
        dot
      >{`${entries} ${entries === 1 ? "entry" : "entries"} verified${head}${pruned}`}</Badge>
    );
  }
  return (
    <span className="text-body font-medium text-danger">
      Entry {broken?.seq} {broken?.id ? <code className="text-meta">{broken.id}</code> : null}{" "}
      {problems[broken?.problem ?? "content"]}.
    </span>
  );
}
