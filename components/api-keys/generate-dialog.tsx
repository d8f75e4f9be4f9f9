"use client";

import { useCallback, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GenerateForm } from "./generate-form";
import type { NewKey } from "./key-formats";
import { KeyReady } from "./key-ready";
import { useLeaveGuard } from "./leave-guard";
import type { CallableOperation } from "./what-it-can-call";

interface GenerateDialogProps {
  callable: CallableOperation[];
  onCreated: () => void;
  onClose: () => void;
  returnFocus: () => void;
}

/** Makes a key and shows it once. The value lives in this component's state and nowhere else. */
export function GenerateDialog({ callable, onCreated, onClose, returnFocus }: GenerateDialogProps) {
  const [key, setKey] = useState<NewKey>();
  const [warned, setWarned] = useState(0);
  const warn = useCallback(() => setWarned((times) => times + 1), []);
  useLeaveGuard(key !== undefined, warn);
  const mayLeave = () => {
    if (key) warn();
    return key === undefined;
  };
  const done = () => {
    setKey(undefined);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={mayLeave}
      returnFocus={returnFocus}
      title={key ? `Key "${key.name}" is ready` : "Generate API key"}
      description={
        key
          ? "This is the only time it can be read. Store it now."
          : "It acts in your name, with your roles, until it expires or you revoke it."
      }
    >
      {key ? (
        <KeyReady newKey={key} callable={callable} warned={warned} onDone={done} />
      ) : (
        <GenerateForm
          callable={callable}
          onCancel={onClose}
          onCreated={(created) => {
            setKey(created);
            onCreated();
          }}
        />
      )}
    </Dialog>
  );
}
