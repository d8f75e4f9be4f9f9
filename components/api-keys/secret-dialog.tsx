"use client";

import { type ReactNode, useCallback, useState } from "react";
import { t } from "@/components/texts/t";
import { Dialog } from "@/components/ui/dialog";
import type { NewKey } from "./key-formats";
import { KeyReady } from "./key-ready";
import { useLeaveGuard } from "./leave-guard";
import type { Whose } from "./suspend";
import type { CallableOperation } from "./what-it-can-call";

interface SecretDialogProps {
  title: string;
  description: string;
  callable: CallableOperation[];
  /** Whether the owner or a manager creates the secret. */
  whose: Whose;
  /** The form to fill in before the secret is created. */
  form: (onMade: (key: NewKey) => void) => ReactNode;
  onMade: () => void;
  onClose: () => void;
  returnFocus?: () => void;
}

/** Creates a secret and shows it once. The value exists only in this component's state. */
export function SecretDialog({
  title,
  description,
  callable,
  whose,
  form,
  onMade,
  onClose,
  returnFocus,
}: SecretDialogProps) {
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
  const made = (created: NewKey) => {
    setKey(created);
    onMade();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={mayLeave}
      returnFocus={returnFocus}
      title={key ? t('Key "{name}" is ready', { name: key.name }) : title}
      description={key ? t("This is the only time the key is shown. Store it now.") : description}
    >
      {key ? (
        <KeyReady newKey={key} callable={callable} whose={whose} warned={warned} onDone={done} />
      ) : (
        form(made)
      )}
    </Dialog>
  );
}
