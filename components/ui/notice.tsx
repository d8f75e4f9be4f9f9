import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { Button } from "./button";
import { classNames } from "./class-names";
import { CallFailed } from "./error-notice";
import { isUnreachable } from "./last-data";

const tones = {
  neutral: "bg-subtle",
  accent: "bg-accent-bg",
  warning: "bg-warning-bg",
  success: "bg-success-bg",
  danger: "border-s-2 border-danger bg-danger-bg",
};

/** A remark that is not an error. */
export function Notice({
  tone = "neutral",
  children,
}: {
  tone?: keyof typeof tones;
  children: ReactNode;
}) {
  return (
    <div
      className={classNames(
        "rounded-control px-3 py-2.5 text-body text-text wrap-anywhere",
        tones[tone],
      )}
    >
      {children}
    </div>
  );
}

/** Shows above a view that a refetch failed or waits for the connection; the view keeps its data. */
export function RefetchNotice({ found, failed }: { found: Refetched; failed: string }) {
  const { error, refetch } = found;
  if (isWaiting(found)) return <WaitingNotice />;
  if (!error) return null;
  const retry = refetch ? (
    <Button size="small" onClick={() => void refetch()}>
      {t("Try again")}
    </Button>
  ) : undefined;
  return <CallFailed title={failed} error={error} action={retry} />;
}

/** Whether there is something to say. */
export const needsNotice = (found: Refetched) => found.error !== null || isWaiting(found);

/** The part of a query that describes refetching. */
export interface Refetched {
  error: Error | null;
  /** The reason why the last attempt failed, while further attempts follow. */
  failureReason?: Error | null;
  refetch?: () => unknown;
}

/** Whether a read is repeated until it reaches the service. */
export const isWaiting = ({ error, failureReason }: Refetched) =>
  error === null && isUnreachable(failureReason);

/** Shows above a view that it waits for the connection and keeps its data. */
export function WaitingNotice() {
  return (
    <p role="status" className="rounded-control bg-warning-bg px-3 py-2 text-body">
      {t("Not updated: the service cannot be reached. This view updates as soon as it can.")}
    </p>
  );
}
