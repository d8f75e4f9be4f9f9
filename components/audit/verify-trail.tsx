"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { type Message, msg, plural, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import type { AuditVerification } from "@/lib/features/audit/contract";

const problems: Record<NonNullable<AuditVerification["broken"]>["problem"], Message> = {
  missing: msg("is missing"),
  erased: msg("and those after it were deleted before their retention ended"),
  truncated: msg("and those after it were deleted: a signed head covers them"),
  link: msg("does not follow the entry before it"),
  content: msg("was changed"),
  mac: msg("was not written by this service: its MAC is wrong"),
  key: msg("is authenticated with an unknown key. Add the earlier key to SECRET_KEY_PREVIOUS"),
  unkeyed: msg("has no MAC, although entries before it have one"),
  personal: msg("has another name or e-mail address than was recorded"),
  address: msg("has another address than was recorded"),
  agent: msg("has another agent than was recorded"),
  head: msg("is not the newest entry that was recorded"),
  "signed-head": msg("differs from its signed head, or the head is forged"),
  checkpoint: msg("ends the pruned part, and its signature is wrong"),
};

/** Recomputes the whole chain, in parts when it is long, and shows the result. */
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
      <span role="status" className="min-w-0 not-empty:me-2">
        {found ? <Finding found={found} /> : null}
      </span>
      <Button busy={busy} onClick={() => void verify()}>
        {t("Verify chain")}
      </Button>
      {error ? <CallFailed title={t("The chain was not verified")} error={error} /> : null}
    </div>
  );
}

function Finding({
  found: { valid, entries, broken, checkpoint, signed },
}: {
  found: AuditVerification;
}) {
  if (valid) {
    const pruned = checkpoint ? t(", pruned before entry {seq}", { seq: checkpoint.seq + 1 }) : "";
    const head = signed ? t(", signed up to entry {seq}", { seq: signed.seq }) : "";
    return (
      <Badge tone="success" dot>
        {plural(
          entries,
          "{count} entry verified{head}{pruned}",
          "{count} entries verified{head}{pruned}",
          { head, pruned },
        )}
      </Badge>
    );
  }
  return (
    <span className="text-body font-medium text-danger">
      {rich("Entry {number} {id} {problem}.", {
        number: broken?.seq,
        id: broken?.id ? <code className="text-meta">{broken.id}</code> : null,
        problem: t(problems[broken?.problem ?? "content"]),
      })}
    </span>
  );
}
