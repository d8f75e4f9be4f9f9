import type { ReactNode } from "react";
import { t, translated } from "@/components/texts/t";
import { CodeBlock } from "@/components/ui/code-block";
import { Instant } from "@/components/ui/instant";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery";

interface AttemptsProps<Attempt extends DeliveryAttempt> {
  attempts: readonly Attempt[];
  /** Further details of an attempt. */
  more?: (attempt: Attempt) => ReactNode;
}

/** The attempts of a delivery, newest first. */
export function Attempts<Attempt extends DeliveryAttempt>({
  attempts,
  more,
}: AttemptsProps<Attempt>) {
  if (attempts.length === 0) return <p className="text-muted">{t("No attempt yet.")}</p>;
  return (
    <ol aria-label={t("Attempts")} className="flex flex-col gap-3">
      {attempts.toReversed().map((one) => (
        <li
          key={one.at}
          className="flex flex-col gap-1 border-t border-border pt-3 first:border-t-0"
        >
          <span className="flex flex-wrap gap-x-3">
            <Instant at={one.at} form="full" />
            {more?.(one)}
            <span className="figures">
              {one.status ?? (one.problem ? t("no response") : t("written"))}
            </span>
            <span className="figures text-muted">
              {t("{durationMs} ms", { durationMs: one.durationMs })}
            </span>
          </span>
          {one.problem ? <span className="text-muted">{translated(one.problem)}</span> : null}
          {one.response ? <CodeBlock code={one.response} label={t("the response")} /> : null}
        </li>
      ))}
    </ol>
  );
}
