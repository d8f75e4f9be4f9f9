"use client";

import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNotice, errorText } from "@/components/ui/error-notice";
import { CallError } from "@/lib/catalogue/client";

interface UsersNothingProps {
  /** The error of the query; absent when no user matches. */
  error: Error | null;
  q: string;
  onRetry: () => void;
  onClear: () => void;
}

/** Replaces an empty table. Loaded when it is shown. */
export function UsersNothing({ error, q, onRetry, onClear }: UsersNothingProps) {
  const { view } = usePortal();
  if (error) {
    return (
      <div className="p-4">
        <ErrorNotice
          title={t("The users could not be loaded")}
          detail={errorText(error)}
          requestId={error instanceof CallError ? error.requestId : undefined}
          action={
            <Button size="small" onClick={onRetry}>
              {t("Try again")}
            </Button>
          }
        />
      </div>
    );
  }
  const curl = curlByKey(view, "/v1/user/list", { query: [["q", q]] });
  return (
    <EmptyState
      title={t("No users match")}
      purpose={t("No user in this tenant matches the search and the filters.")}
      action={<Button onClick={onClear}>{t("Clear filters")}</Button>}
    >
      <CodeBlock label={t("this search as a call")} code={curl} />
    </EmptyState>
  );
}
