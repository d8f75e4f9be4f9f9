"use client";

import { PeekPanel } from "@/components/ui/table/peek-panel";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertFacts } from "./alert-facts";
import { conditionText, filterText } from "./alert-words";

interface AlertPeekProps {
  alert: Alert;
  href: string;
  onClose: () => void;
}

/** The main facts of an alert next to the list. */
export function AlertPeek({ alert, href, onClose }: AlertPeekProps) {
  const rule = `${conditionText(alert)}, ${filterText(alert.filter)}`;
  return (
    <PeekPanel row={alert.id} title={alert.name} status={rule} href={href} onClose={onClose}>
      <AlertFacts alert={alert} />
    </PeekPanel>
  );
}
