import { t } from "@/components/texts/t";
import { Link } from "./link";

interface BreadcrumbProps {
  /** The pages above, the widest first. */
  above: { label: string; href: string }[];
  here: string;
}

/** Where a page stands, and the way up. */
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
