import type { ComponentProps, ReactNode, RefObject } from "react";
import { t } from "@/components/texts/t";
import { classNames } from "@/components/ui/class-names";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** A table that scrolls sideways inside its own frame on narrow screens. */
export function Table({
  label,
  children,
  className,
  rows,
  cards = false,
  region,
  widths,
}: {
  label: string;
  children: ReactNode;
  className?: string | undefined;
  /** The number of rows including the header, when not all of them are rendered. */
  rows?: number;
  /** Whether each row is a card on a phone. */
  cards?: boolean;
  region?: RefObject<HTMLElement | null>;
  /** The widths of columns that have one (`widthsOf`). */
  widths?: Pick<ComponentProps<"table">, "style"> & { "data-wide": string | undefined };
}) {
  return (
    <ScrollRegion
      ref={region}
      data-cards={cards ? "" : undefined}
      aria-label={label}
      className="relative overflow-x-auto data-fits:overflow-visible rounded-card focus-visible:-outline-offset-2 print:overflow-visible"
    >
      <table
        aria-rowcount={rows}
        {...widths}
        className={classNames("w-full border-collapse text-start text-body", className)}
      >
        <caption className="sr-only">{label}</caption>
        {children}
      </table>
    </ScrollRegion>
  );
}

const edges = "px-3 first:ps-4 last:pe-4";

export function HeadCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={classNames(
        "relative h-9 whitespace-nowrap bg-surface text-meta font-medium text-muted shadow-[inset_0_-1px_var(--border)]",
        "in-data-fits:sticky in-data-fits:top-12 in-data-fits:z-10",
        edges,
        className,
      )}
      {...rest}
    />
  );
}

interface HeadProps {
  names: readonly string[];
  /** A cell before the names, such as the checkbox that selects all rows. */
  first?: ReactNode;
  /** The last column has buttons and no visible name. */
  hasActions?: boolean;
}

/** The header of a table whose columns only have names. */
export function Head({ names, first, hasActions = false }: HeadProps) {
  return (
    <thead>
      <tr>
        {first}
        {names.map((name) => (
          <HeadCell key={name}>{name}</HeadCell>
        ))}
        {hasActions ? (
          <HeadCell>
            <span className="sr-only">{t("Actions")}</span>
          </HeadCell>
        ) : null}
      </tr>
    </thead>
  );
}

interface CellProps extends ComponentProps<"td"> {
  /** Lets long text take several lines. */
  wraps?: boolean;
  /**
   * The position in the card of a row on a phone (app/cards.css). The first cell heads it, unless another is "lead"; of one that is
   * "both" the first child does, and the others follow below; one that is "text" takes several lines. "end" stands at the end of the first line, "act" of the second, and "row"
   * has a line for itself. "plain" needs no label in front; nor do "share", which gives way on the second line, and "rest", which has what they
   * leave of it. "trailing" is at the end of the second line. Without this it is on the second line, as far as there is room.
   */
  card?:
    | "lead"
    | "both"
    | "text"
    | "plain"
    | "share"
    | "rest"
    | "trailing"
    | "end"
    | "act"
    | "row"
    | undefined;
  /** The label of a value that is not self-explanatory: shown before it in a card. */
  label?: string | undefined;
}

export function Cell({ wraps = false, className, card, label, ...rest }: CellProps) {
  const look = classNames(
    "h-(--row) border-b border-border py-1 group-last:border-b-0",
    edges,
    !wraps && "whitespace-nowrap",
    className,
  );
  return <td className={look} data-card={card} data-label={label} {...rest} />;
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      className={classNames("group transition-colors duration-[120ms] hover:bg-surface", className)}
      {...rest}
    />
  );
}
