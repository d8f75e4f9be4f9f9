"use client";

import { Check, Lock } from "lucide-react";

/** An operation that accepts API keys, and whether this person's roles allow it. */
export interface CallableOperation {
  operation: string;
  allowed: boolean;
  permission?: string | undefined;
}

/** What a key of this person can do today: it follows the roles, also when they change. */
export function WhatItCanCall({ callable }: { callable: CallableOperation[] }) {
  const able = callable.filter((one) => one.allowed);
  const unable = callable.filter((one) => !one.allowed);
  return (
    <details className="rounded-control border border-border bg-surface text-body">
      <summary className="rounded-control px-3 py-2">
        Can call {able.length} of {callable.length} operations with your roles
      </summary>
      <ul className="max-h-48 overflow-y-auto border-t border-border px-3 py-2">
        {[...able, ...unable].map((one) => (
          <li key={one.operation} className="flex items-baseline gap-2 py-0.5">
            {one.allowed ? (
              <Check
                aria-label="can call"
                className="size-3.5 shrink-0 translate-y-0.5 text-success"
              />
            ) : (
              <Lock
                aria-label="cannot call"
                className="size-3.5 shrink-0 translate-y-0.5 text-muted"
              />
            )}
            <code className="min-w-0 break-all text-meta">{one.operation}</code>
            {one.allowed ? null : (
              <span className="shrink-0 text-meta text-muted">needs {one.permission}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
