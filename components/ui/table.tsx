import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";
import { ScrollRegion } from "./scroll-region";

/** A table that scrolls sideways inside its own frame on narrow screens. */
export function Table({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <ScrollRegion
      aria-label={label}
      className="relative overflow-x-auto rounded-card focus-visible:-outline-offset-2 print:overflow-visible"
    >
      <table className={classNames("w-full border-collapse text-left text-body", className)}>
        <caption className="sr-only">{label}</caption>
        {children}
      </table>
    </ScrollRegion>
  );
}

const edges = "px-3 first:pl-4 last:pr-4";

export function HeadCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={classNames(
        "h-9 whitespace-nowrap border-b border-border bg-surface text-meta font-medium text-muted",
        edges,
        className,
      )}
      {...rest}
    />
  );
}

interface CellProps extends ComponentProps<"td"> {
  /** Lets long text take several lines. */
  wraps?: boolean;
}

export function Cell({ wraps = false, className, ...rest }: CellProps) {
  const look = classNames(
    "h-(--row) border-b border-border py-1 group-last:border-b-0",
    edges,
    !wraps && "whitespace-nowrap",
    className,
  );
  return <td className={look} {...rest} />;
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      className={classNames("group transition-colors duration-[120ms] hover:bg-surface", className)}
      {...rest}
    />
  );
}
