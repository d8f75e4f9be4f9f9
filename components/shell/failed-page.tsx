import { t } from "@/components/texts/t";

interface FailedPageProps {
  /** The id of this failure in the log. */
  digest: string | undefined;
  onRetry: () => void;
}

/** A page that could not be rendered. Deliberately plain: it is part of every page's bundle. */
export function FailedPage({ digest, onRetry }: FailedPageProps) {
  return (
    <div role="alert" className="mx-auto max-w-xl px-4 py-24">
      <h1 className="text-title">{t("This page could not be shown")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("Something failed on our side; nothing was changed. Try again in a few seconds.")}
        {digest
          ? ` ${t("If it happens again, give support the number {digest}.", { digest })}`
          : ""}
      </p>
      <button
        type="button"
        onClick={onRetry}
        className="h-8 rounded-control border border-border-strong px-3 text-control font-medium hover:bg-subtle"
      >
        {t("Try again")}
      </button>
    </div>
  );
}
