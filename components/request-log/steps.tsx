import { Check, Minus, X } from "lucide-react";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";

type Step = RefusedRequestDetails["steps"][number];

const words: Record<Step["step"], string> = {
  frame: "Request well formed, tenant named",
  path: "Route found",
  method: "Method supported",
  credential: "Credential valid",
  site: "Site found",
  role: "Roles allow it",
  format: "Content types accepted",
  input: "Values valid",
  resource: "Resource found",
  precondition: "Precondition met",
  state: "State allows the change",
  server: "Server succeeded",
};

const looks = {
  passed: { icon: Check, tone: "text-success", label: "passed" },
  failed: { icon: X, tone: "text-danger", label: "failed" },
  "not-reached": { icon: Minus, tone: "text-muted", label: "not reached" },
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
              {words[step]}
              <span className="sr-only">: {label}</span>
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
