"use client";

import type { ReactNode } from "react";
import { endsSoon, isLeaked } from "@/components/api-keys/hygiene";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";

const linkLook = "rounded-[3px] underline underline-offset-4";

/** What waits for the reader: keys that were reported as leaked (own ones, and for managers everybody's), own keys handed over or about to end. */
export function NeedsYou({ own, others }: { own: ApiKey[]; others: ManagedKey[] }) {
  const mine = own.filter(isLeaked);
  const received = own.filter((key) => key.handedOver && key.status === "suspended");
  const ending = own.filter((key) => endsSoon(key));
  if (mine.length + received.length + others.length + ending.length === 0) return null;
  return (
    <section aria-label={t("Needs your attention")} className="mb-6">
      <Notice tone="warning">
        {mine.map((key) => (
          <OwnKey key={key.apiKeyId}>
            {t(
              'Your key "{name}" was reported as leaked and is suspended. Rotate it, then resume it:',
              { name: key.name },
            )}
          </OwnKey>
        ))}
        {received.map((key) => (
          <OwnKey key={key.apiKeyId}>
            {t(
              'Key "{name}" was handed over to you and is suspended. Rotate it to get its secret:',
              { name: key.name },
            )}
          </OwnKey>
        ))}
        {ending.map((key) => (
          <OwnKey key={key.apiKeyId}>
            {rich(
              'Your key "{name}" expires {when}. Rotate it or create another one before then:',
              { name: key.name, when: <Instant at={key.validTo} /> },
            )}
          </OwnKey>
        ))}
        {others.map((key) => (
          <OthersKey key={key.apiKeyId} apiKey={key} />
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
        {t("your keys")}
      </Link>
    </p>
  );
}

/** A key of somebody else, and the way to all of theirs. */
function OthersKey({ apiKey: { name, owner } }: { apiKey: ManagedKey }) {
  const { view } = usePortal();
  return (
    <p>
      {rich(
        'Key "{name}" of {name2} was reported as leaked and is suspended until it has a new secret: <link>keys of {login}</link>',
        {
          name,
          name2: owner.name,
          login: owner.login,
          link: (inner) => (
            <Link href={`/t/${view.tenant}/users/${owner.id}/api-keys`} className={linkLook}>
              {inner}
            </Link>
          ),
        },
      )}
    </p>
  );
}
