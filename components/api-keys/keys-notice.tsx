"use client";

import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { endsSoon } from "./hygiene";

/** What the owner should know about the keys: which leaked, which were handed over, and which end soon. */
export function KeysNotice({ keys }: { keys: ApiKey[] }) {
  const leaked = keys.filter(
    (key) => key.rotationRequired && !key.handedOver && key.status === "suspended",
  );
  const received = keys.filter((key) => key.handedOver && key.status === "suspended");
  const ending = keys.filter((key) => endsSoon(key));
  if (leaked.length + received.length + ending.length === 0) return null;
  return (
    <div className="border-b border-border p-3">
      <Notice tone="warning">
        {leaked.map((key) => (
          <p key={key.apiKeyId}>
            Key "{key.name}" was reported as leaked and is suspended. Rotate it, then resume it.
          </p>
        ))}
        {received.map((key) => (
          <p key={key.apiKeyId}>
            Key "{key.name}" was handed over to you and is suspended. Rotate it to get its secret.
          </p>
        ))}
        {ending.map((key) => (
          <p key={key.apiKeyId}>
            Key "{key.name}" expires <Instant at={key.validTo} />. Rotate it, or create another key
            and update the programs that use it.
          </p>
        ))}
      </Notice>
    </div>
  );
}
