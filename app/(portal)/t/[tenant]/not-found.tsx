import { t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";

export default function TenantNotFoundPage() {
  return (
    <>
      <PageHeader title={t("Page not found")} lead={t("Not found, or you don't have access.")} />
      <Link href="/" className={buttonLook("secondary")}>
        {t("Go to home")}
      </Link>
    </>
  );
}
