"use client";

import type { ReactNode } from "react";
import { endsSoon } from "@/components/api-keys/hygiene";
import { usePortal } from "@/components/shell/portal";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";

const linkLook = "rounded-[3px] underline underline-offset-4";

/** What waits for the reader: keys that were reported as leaked (own ones, and for managers everybody's), own keys handed over or about to end. */
export function NeedsYou({ own, others }: { own: ApiKey[]; others: ManagedKey[] }) {
  const { view } = usePortal();
  const mine = own.filter(
    (key) => key.rotationRequired && !key.handedOver && key.status === "suspended",
  );
  const received = own.filter((key) => key.handedOver && key.status === "suspended");
  const ending = own.filter((key) => endsSoon(key));
  if (mine.length + received.length + others.length + ending.length === 0) return null;
  return (
    <section aria-label="Needs your attention" className="mb-6">
      <Notice tone="warning">
        {mine.map((key) => (
          <OwnKey key={key.apiKeyId}>
            Your key "{key.name}" was reported as leaked and is suspended. Rotate it, then resume
            it:
          </OwnKey>
        ))}
        {received.map((key) => (
          <OwnKey key={key.apiKeyId}>
            Key "{key.name}" was handed over to you and is suspended. Rotate it to get its secret:
          </OwnKey>
        ))}
        {ending.map((key) => (
          <OwnKey key={key.apiKeyId}>
            Your key "{key.name}" expires <Instant at={key.validTo} />. Rotate it or create another
            one before then:
          </OwnKey>
        ))}
        {others.map(({ apiKeyId, name, owner }) => (
          <p key={apiKeyId}>
            Key "{name}" of {owner.name} was reported as leaked and is suspended until it has a new
            secret:{" "}
            <Link href={`/t/${view.tenant}/users/${owner.id}/api-keys`} className={linkLook}>
              keys of {owner.login}
            </Link>
          </p>
        ))}
      </Notice>
    </section>
  );
}

/** What is the matter with a key of the reader, and the way to it. */
function OwnKey({ children }: { children: ReactNode }) {
  const { view } = usePortal();
  return (
    <p>
      {children}{" "}
      <Link href={`/t/${view.tenant}/me#api-keys`} className={linkLook}>
        your keys
      </Link>
    </p>
  );
}
