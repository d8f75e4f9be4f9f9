"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/error-notice";
import { TryFields } from "./try-fields";
import {
  curlOf,
  type Filled,
  missingOf,
  startOf,
  type Tried,
  type TriedOperation,
  tryRequest,
} from "./try-request";

const toneOf = (status: number) => (status < 300 ? "success" : status < 400 ? "neutral" : "danger");

/** The kind of a response, in a word. */
function TryStatus({ tried: { status, milliseconds } }: { tried: Tried }) {
  return (
    <>
      <Badge tone={toneOf(status)}>Response {status}</Badge>
      <span className="figures text-muted">in {milliseconds} ms</span>
    </>
  );
}

/** Headers and body of a response. */
function TryResponse({ tried: { headers, body, isCut } }: { tried: Tried }) {
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

type Outcome = { tried: Tried } | { failed: string } | undefined;

const noResponse = (error: unknown): string =>
  error instanceof DOMException && error.name === "TimeoutError"
    ? "There was no response within 30 seconds."
    : "There was no response. Check your connection and try again.";

/** Sends one request at a time. */
function useTry(operation: TriedOperation, filled: Filled) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const send = async () => {
    setBusy(true);
    setOutcome(undefined);
    try {
      setOutcome({ tried: await tryRequest(operation, filled) });
    } catch (error) {
      setOutcome({ failed: noResponse(error) });
    }
    setBusy(false);
  };
  return { busy, outcome, send };
}

/** A form for one request to an operation, the equivalent command, and the response. */
export function TryIt({ operation }: { operation: TriedOperation }) {
  const [filled, setFilled] = useState(() => startOf(operation));
  const [isAsked, setAsked] = useState(false);
  const { busy, outcome, send } = useTry(operation, filled);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || missingOf(operation, filled).length > 0) return;
    if (operation.isChange) setAsked(true);
    else void send();
  };
  return (
    <section aria-labelledby="try-it" className="rounded-card border border-border bg-bg p-4">
      <h2 id="try-it" ref={title} tabIndex={-1} className="mb-3 text-control font-semibold">
        Try it
      </h2>
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <TryFields operation={operation} filled={filled} onChange={setFilled} />
        <CodeBlock code={curlOf(operation, filled)} label="the request as a command" />
        <div>
          <Button type="submit" tone="primary" busy={busy}>
            Send the request
          </Button>
        </div>
      </form>
      <p role="status" className="mt-4 flex flex-wrap items-center gap-2 text-body empty:hidden">
        {outcome && "tried" in outcome ? <TryStatus tried={outcome.tried} /> : null}
      </p>
      {outcome && "tried" in outcome ? <TryResponse tried={outcome.tried} /> : null}
      {outcome && "failed" in outcome ? (
        <div className="mt-4">
          <ErrorNotice title="The request failed" detail={outcome.failed} />
        </div>
      ) : null}
      {isAsked ? (
        <AskFirst
          operation={operation}
          tenant={filled.tenant}
          onClose={() => setAsked(false)}
          onSend={send}
        />
      ) : null}
    </section>
  );
}

interface AskFirstProps {
  operation: TriedOperation;
  tenant: string;
  onClose: () => void;
  onSend: () => Promise<void>;
}

/** A request that changes data is sent only after a confirmation. */
function AskFirst({
  operation: { method, path, needsTenant },
  tenant,
  onClose,
  onSend,
}: AskFirstProps) {
  const confirm = () => {
    onClose();
    void onSend();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Send this request?"
      description={`It is carried out for real${needsTenant ? ` in the tenant ${tenant}` : ""}.`}
    >
      <code className="text-body wrap-anywhere">{`${method} ${path}`}</code>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button tone={method === "DELETE" ? "danger" : "primary"} onClick={confirm}>
          Send the request
        </Button>
      </DialogActions>
    </Dialog>
  );
}
