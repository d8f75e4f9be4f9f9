import Link from "next/link";
import { buttonLook } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";

export default function TenantNotFoundPage() {
  return (
    <>
      <PageHeader
        title="There is nothing at this address"
        lead="What you look for does not exist in this tenant, or not for you."
      />
      <Link href="/" className={buttonLook("secondary")}>
        Go to home
      </Link>
    </>
  );
}
