import { buttonLook } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";

export default function TenantNotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" lead="Not found, or you don't have access." />
      <Link href="/" className={buttonLook("secondary")}>
        Go to home
      </Link>
    </>
  );
}
