import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { rich } from "@/components/texts/rich";
import { t, translated } from "@/components/texts/t";
import { CallError } from "@/lib/catalogue/client";
import { CopyButton } from "./copy-button";

/** The message of an error, translated when the catalogue has it. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? translated(error.message) : "";

interface ErrorNoticeProps {
  /** The failed action. */
  title: string;
  /** The next step, and whether data is lost. */
  detail: ReactNode;
  requestId?: string | undefined;
  action?: ReactNode;
}

/** Shows the failure, the next step, and the id that support needs. */
export function ErrorNotice({ title, detail, requestId, action }: ErrorNoticeProps) {
  return (
    <div
      role="alert"
      className="enter-fade flex gap-2.5 rounded-control bg-danger-bg px-3 py-2.5 text-body"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium text-danger">{title}</p>
        <div className="text-text">{detail}</div>
        {requestId ? (
          <p className="mt-1 flex flex-wrap items-center gap-1 text-meta text-text">
            {rich("Request {requestId}", {
              requestId: <code className="break-all">{requestId}</code>,
            })}
            <CopyButton text={requestId} label={t("Copy request id")} />
          </p>
        ) : null}
        {action ? <div className="mt-2">{action}</div> : null}
      </div>
    </div>
  );
}

interface CallFailedProps {
  title: string;
  error: Error;
  action?: ReactNode;
}

/** The message of a failed call, with the id of its request. */
export function CallFailed({ title, error, action }: CallFailedProps) {
  return (
    <ErrorNotice
      title={title}
      detail={translated(error.message)}
      requestId={error instanceof CallError ? error.requestId : undefined}
      action={action}
    />
  );
}
