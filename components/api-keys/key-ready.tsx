"use client";

import { Download, Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { downloadText } from "@/components/ui/download-text";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { formatKey, type KeyFormat, keyFormats, masked, type NewKey } from "./key-formats";
import { TestCall, testOperation } from "./test-call";
import type { CallableOperation } from "./what-it-can-call";

interface KeyReadyProps {
  newKey: NewKey;
  callable: CallableOperation[];
  /** How often the person tried to leave. */
  warned: number;
  onDone: () => void;
}

export function KeyReady({ newKey, callable, warned, onDone }: KeyReadyProps) {
  const { view } = usePortal();
  const [format, setFormat] = useState<KeyFormat>("key");
  const [shown, setShown] = useState(false);
  const [stored, setStored] = useState(false);
  const { path } = testOperation(callable);
  const textOf = (apiKey: string) =>
    formatKey(format, { ...newKey, apiKey }, view.tenant, window.location.origin, path);
  const text = () => textOf(newKey.apiKey);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-muted">
        Works until <Instant at={newKey.validTo} form="full" />
      </p>
      <Segmented
        legend="Copy as"
        name="format"
        options={keyFormats}
        value={format}
        onChange={setFormat}
      />
      <pre className="whitespace-pre-wrap break-all rounded-control border border-border-strong bg-surface px-3 py-2.5 text-body">
        <code>{textOf(shown ? newKey.apiKey : masked(newKey.apiKey)).trimEnd()}</code>
      </pre>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy key" words="Copy" tone="primary" />
        <Button
          onClick={() => setShown(!shown)}
          aria-pressed={shown}
          icon={
            shown ? (
              <EyeOff aria-hidden="true" className="size-4" />
            ) : (
              <Eye aria-hidden="true" className="size-4" />
            )
          }
        >
          {shown ? "Hide key" : "Show key"}
        </Button>
        <Button
          onClick={() => downloadText(text(), fileName(newKey.name, format))}
          icon={<Download aria-hidden="true" className="size-4" />}
        >
          Download
        </Button>
      </div>
      <TestCall apiKey={newKey.apiKey} callable={callable} />
      <div role="alert">
        {warned > 0 && !stored ? (
          <Notice tone="warning">
            The key is still on screen and cannot be shown again. Store it, tick the box, then
            choose Done. If you lose it, revoke it and create a new one.
          </Notice>
        ) : null}
      </div>
      <DialogActions>
        <span className="flex-1">
          <Checkbox
            label="I have stored it"
            checked={stored}
            onChange={(event) => setStored(event.target.checked)}
          />
        </span>
        <Button tone="primary" disabled={!stored} onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}

const fileName = (name: string, format: KeyFormat) =>
  `${name.replace(/[^\w.-]+/g, "-")}.${keyFormats.find((one) => one.value === format)?.file ?? "txt"}`;
