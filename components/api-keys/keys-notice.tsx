"use client";

import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { endsSoon, isLeaked } from "./hygiene";

/** What the owner should know about the keys: which leaked, which were handed over, and which end soon. */
export function KeysNotice({ keys }: { keys: ApiKey[] }) {
  const leaked = keys.filter(isLeaked);
  const received = keys.filter((key) => key.handedOver && key.status === "suspended");
  const ending = keys.filter((key) => endsSoon(key));
  if (leaked.length + received.length + ending.length === 0) return null;
  return (
    <div className="border-b border-border p-3">
      <Notice tone="warning">
        {leaked.map((key) => (
          <p key={key.apiKeyId}>
            {t('Key "{name}" was reported as leaked and is suspended. Rotate it, then resume it.', {
              name: key.name,
            })}
          </p>
        ))}
        {received.map((key) => (
          <p key={key.apiKeyId}>
            {t(
              'Key "{name}" was handed over to you and is suspended. Rotate it to get its secret.',
              { name: key.name },
            )}
          </p>
        ))}
        {ending.map((key) => (
          <p key={key.apiKeyId}>
            {rich(
              'Key "{name}" expires {when}. Rotate it, or create another key and update the programs that use it.',
              { name: key.name, when: <Instant at={key.validTo} /> },
            )}
          </p>
        ))}
      </Notice>
    </div>
  );
}
