"use client";

import { Check, Lock } from "lucide-react";
import { plural, t } from "@/components/texts/t";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Limits } from "./key-rights";
import { type CallableOperation, countCallable, whyNot } from "./key-rights";

export type { CallableOperation } from "./key-rights";

/** The operations that a key with these limits could call today, and why not the others; updated on every tick. */
export function WhatItCanCall({
  callable,
  limits,
}: {
  callable: CallableOperation[];
  limits: Limits;
}) {
  const judged = callable.map((one) => ({ ...one, missing: whyNot(one, limits) }));
  const able = judged.filter(({ missing }) => missing === undefined);
  const unable = judged.filter(({ missing }) => missing !== undefined);
  return (
    <details className="rounded-control border border-border bg-surface text-body">
      <summary className="rounded-control px-3 py-2">
        <output>{countsText(countCallable(callable, limits))}</output>
      </summary>
      <ScrollRegion
        aria-label={t("Operations")}
        className="max-h-48 overflow-y-auto border-t border-border px-3 py-2"
      >
        <ul>
          {[...able, ...unable].map((one) => (
            <li key={one.operation} className="flex items-baseline gap-2 py-0.5">
              <Mark isAble={one.missing === undefined} />
              <code className="min-w-0 break-all text-meta">{one.operation}</code>
              {one.missing === undefined ? null : (
                <span className="shrink-0 text-meta text-muted">{one.missing}</span>
              )}
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </details>
  );
}

function countsText({ now, more, forPrograms }: ReturnType<typeof countCallable>): string {
  const parts = [
    plural(now, "Can call 1 operation", "Can call {count} operations"),
    more > 0 ? t("{count} more if you tick them", { count: more }) : "",
    forPrograms > 0 ? t("{count} need a key of a service user", { count: forPrograms }) : "",
  ];
  return parts.filter(Boolean).join(", ");
}

const look = "size-3.5 shrink-0 translate-y-0.5";

const Mark = ({ isAble }: { isAble: boolean }) =>
  isAble ? (
    <Check aria-label={t("can call")} className={`${look} text-success`} />
  ) : (
    <Lock aria-label={t("cannot call")} className={`${look} text-muted`} />
  );
