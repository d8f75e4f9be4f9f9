import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import type { Tried } from "./try-request";

const toneOf = (status: number) => (status < 300 ? "success" : status < 400 ? "neutral" : "danger");

/** What a response was, in a word. */
export function TryStatus({ tried: { status, milliseconds } }: { tried: Tried }) {
  return (
    <>
      <Badge tone={toneOf(status)}>Response {status}</Badge>
      <span className="figures text-muted">in {milliseconds} ms</span>
    </>
  );
}

/** Headers and body of a response. */
export function TryResponse({ tried: { headers, body, isCut } }: { tried: Tried }) {
  return (
    <div className="mt-3 flex flex-col gap-3">
      <details>
        <summary className="cursor-pointer rounded-[3px] text-body text-muted">
          {headers.length} headers
        </summary>
        <dl className="mt-2 grid gap-x-4 gap-y-1 text-meta sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">
          {headers.map(([name, value]) => (
            <div key={name} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
              <dt className="text-muted">{name}</dt>
              <dd className="font-mono wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {body === "" ? (
        <p className="text-body text-muted">No body.</p>
      ) : (
        <CodeBlock code={body} label="the body of the response" />
      )}
      {isCut ? (
        <p className="text-meta text-muted">The body is longer than what is shown.</p>
      ) : null}
    </div>
  );
}
