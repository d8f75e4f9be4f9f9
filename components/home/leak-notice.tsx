"use client";

import Link from "next/link";
import { usePortal } from "@/components/shell/portal";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { ManagedKey } from "@/lib/api-keys/managing-contract";

const linkLook = "rounded-[3px] underline underline-offset-4";

/** Tells owners and managers which keys were reported as leaked, until each has a new secret. */
export function LeakNotice({ own, others }: { own: ApiKey[]; others: ManagedKey[] }) {
  const { view } = usePortal();
  const mine = own.filter((key) => key.rotationRequired && key.status === "suspended");
  if (mine.length + others.length === 0) return null;
  return (
    <section aria-label="Leaked keys" className="mb-6">
      <Notice tone="warning">
        {mine.map((key) => (
          <p key={key.apiKeyId}>
            Your key "{key.name}" was reported as leaked and is suspended. Rotate it, then resume it:{" "}
            <Link href={`/t/${view.tenant}/me#api-keys`} className={linkLook}>
              your keys
            </Link>
          </p>
        ))}
        {others.map(({ apiKeyId, name, owner }) => (
          <p key={apiKeyId}>
            Key "{name}" of {owner.name} was reported as leaked and is suspended until it has a new secret:{" "}
            <Link href={`/t/${view.tenant}/users/${owner.id}/api-keys`} prefetch={false} className={linkLook}>
              keys of {owner.login}
            </Link>
          </p>
        ))}
      </Notice>
    </section>
  );
}
