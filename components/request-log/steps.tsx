import { Check, Minus, X } from "lucide-react";
import { type Message, msg, t } from "@/components/texts/t";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";

type Step = RefusedRequestDetails["steps"][number];

const words: Record<Step["step"], Message> = {
  frame: msg("Request well formed, tenant named"),
  path: msg("Route found"),
  method: msg("Method supported"),
  credential: msg("Credential valid"),
  site: msg("Site found"),
  role: msg("Roles allow it"),
  format: msg("Content types accepted"),
  input: msg("Values valid"),
  resource: msg("Resource found"),
  precondition: msg("Precondition met"),
  state: msg("State allows the change"),
  server: msg("Server succeeded"),
};

const looks = {
  passed: { icon: Check, tone: "text-success", label: msg("passed") },
  failed: { icon: X, tone: "text-danger", label: msg("failed") },
  "not-reached": { icon: Minus, tone: "text-muted", label: msg("not reached") },
};

/** The way of a request through the checks, to where it ended. */
export function Steps({
  steps,
  code,
  reason,
}: {
  steps: Step[];
  code: string;
  reason: string | undefined;
}) {
  return (
    <ol className="flex flex-col gap-1.5 text-body">
      {steps.map(({ step, outcome }) => {
        const { icon: Icon, tone, label } = looks[outcome];
        return (
          <li key={step} className="flex gap-2">
            <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
            <span className={outcome === "not-reached" ? "text-muted" : undefined}>
              {t(words[step])}
              <span className="sr-only">: {t(label)}</span>
              {outcome === "failed" ? (
                <span className="block wrap-anywhere text-danger">
                  <code className="text-meta">{code}</code>
                  {reason ? ` ${reason}` : ""}
                </span>
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
