import { Check, Minus, X } from "lucide-react";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";

type Step = RefusedRequestDetails["steps"][number];

const words: Record<Step["step"], string> = {
  frame: "The request is well formed and names its tenant",
  path: "There is something at the path",
  method: "It supports the method",
  credential: "The credential is right and may be used",
  site: "The tenant has the site",
  role: "The caller's roles allow it",
  format: "The answer's format can be given, and the body's be read",
  input: "The values are valid",
  resource: "What it names exists",
  precondition: "It is in the state that the caller expects",
  state: "Its state allows the change",
  server: "The server did its part",
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
