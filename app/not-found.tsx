import { titled } from "@/app/titled";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg, t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";

export const generateMetadata = titled(msg("Page not found"));

export default function NotFoundPage() {
  return (
    <PublicFrame>
      <h1 className="text-title">{t("Page not found")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("The page may have moved, or the link is incomplete.")}
      </p>
      <a href="/" className={buttonLook("secondary")}>
        {t("Go to home")}
      </a>
    </PublicFrame>
  );
}
