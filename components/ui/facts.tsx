import type { ReactNode } from "react";

/** Names and values, one under the other on phones. */
export function Facts({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="-my-2 grid gap-x-6 sm:grid-cols-[var(--fact-name,10rem)_minmax(0,1fr)]">
      {facts.map(({ name, value }) => (
        <div
          key={name}
          className="border-b border-border py-2 last:border-b-0 sm:col-span-2 sm:grid sm:grid-cols-subgrid sm:items-baseline"
        >
          <dt className="text-muted">{name}</dt>
          <dd className="flex min-w-0 flex-wrap items-center gap-1 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
