"use client";

import { NoticeText } from "@/components/home/notice-list";
import { ownKeyLines } from "@/components/home/own-key-lines";
import { usePortal } from "@/components/shell/portal";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";

/** What the owner should do about the keys, one line a kind: which leaked, which were handed over, and which end soon. */
export function KeysNotice({ keys }: { keys: ApiKey[] }) {
  const { view } = usePortal();
  const lines = ownKeyLines(view.tenant, keys);
  if (lines.length === 0) return null;
  return (
    <div className="border-b border-border p-3">
      <Notice tone="warning">
        {lines.map(({ kind, text, first }) => (
          <p key={kind}>
            <NoticeText text={text} first={first} />
          </p>
        ))}
      </Notice>
    </div>
  );
}
