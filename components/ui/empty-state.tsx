import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** One sentence of purpose. */
  purpose: ReactNode;
  action?: ReactNode;
  /** The call that would fill it. */
  children?: ReactNode;
}

export function EmptyState({ title, purpose, action, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <div>
        <p className="text-control font-semibold">{title}</p>
        <p className="mx-auto mt-1 max-w-[52ch] text-body text-balance text-muted">{purpose}</p>
      </div>
      {action}
      {children ? <div className="mt-2 w-full max-w-2xl text-start">{children}</div> : null}
    </div>
  );
}
