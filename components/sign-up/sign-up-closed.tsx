import { t } from "@/components/texts/t";
import { Link } from "@/components/ui/link";

/** Replaces the form while SIGN_UP is off. */
export function SignUpClosed() {
  return (
    <>
      <h1 className="text-title">{t("Sign-up is closed")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t(
          "This installation does not accept sign-ups. Ask its operator to create a tenant for you and to send you an invitation.",
        )}
      </p>
      <p className="text-center text-body text-muted">
        <Link
          href="/sign-in"
          className="rounded-control text-text underline decoration-border-strong underline-offset-4"
        >
          {t("Sign in")}
        </Link>
      </p>
    </>
  );
}
