import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { PanelBoundary } from "./panel-boundary";

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

export interface CardProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** The anchor for links. */
  id?: string | undefined;
  /** Lets a table reach the card's edges. */
  flush?: boolean;
  children: ReactNode;
}

/** The title of a card. */
export const CardTitle = ({
  id,
  title,
  description,
}: Pick<CardProps, "id" | "title" | "description">) => (
  <div className="min-w-0 flex-1 basis-48">
    <h2 id={id ? `${id}-title` : undefined} className="text-control font-semibold">
      {title}
    </h2>
    {description ? (
      <p className="max-w-[68ch] text-body text-pretty text-muted">{description}</p>
    ) : null}
  </div>
);

/** A titled part of a page. */
export function Card({ title, description, actions, id, flush = false, children }: CardProps) {
  return (
    <section
      id={id}
      aria-labelledby={id ? `${id}-title` : undefined}
      className="rounded-card border border-border bg-bg"
    >
      {title ? (
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border px-4 py-3">
          <CardTitle {...{ id, title, description }} />
          {actions}
        </header>
      ) : null}
      <div className={classNames(!flush && "p-4")}>
        <PanelBoundary>{children}</PanelBoundary>
      </div>
    </section>
  );
}
