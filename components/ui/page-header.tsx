import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="wrap-anywhere text-title text-balance">{title}</h1>
        {lead ? (
          <div className="mt-1 max-w-[68ch] wrap-anywhere text-control text-pretty text-muted">
            {lead}
          </div>
        ) : null}
      </div>
      {actions}
    </header>
  );
}
