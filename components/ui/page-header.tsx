import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { Link } from "./link";

interface BreadcrumbProps {
  /** The pages above, the widest first. */
  above: { label: string; href: string }[];
  here: string;
}

/** The position of a page in the hierarchy, with links to the pages above. */
export function Breadcrumb({ above, here }: BreadcrumbProps) {
  return (
    <nav aria-label={t("Breadcrumb")} className="mb-2 wrap-anywhere text-body text-muted">
      {above.map(({ label, href }) => (
        <span key={href}>
          <Link href={href} className="rounded-control hover:text-text hover:underline">
            {label}
          </Link>
          <span aria-hidden="true"> / </span>
        </span>
      ))}
      <span aria-current="page">{here}</span>
    </nav>
  );
}

interface PageHeaderProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** The page uses the full width, for tables and charts. */
  wide?: boolean;
}

export function PageHeader({ title, lead, actions, wide = false }: PageHeaderProps) {
  return (
    <header
      data-wide={wide || undefined}
      className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3"
    >
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
