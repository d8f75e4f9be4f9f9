import { t } from "@/components/texts/t";
import { Button } from "./button";
import { CallFailed } from "./call-failed";
import { isWaiting, type Refetched, WaitingNotice } from "./waiting-notice";

/** Says above a view that reading it again failed, or waits for the connection; the view keeps what it has. */
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
