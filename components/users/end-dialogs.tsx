"use client";

import { useState } from "react";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { localInput, localInstant, zoneName } from "@/components/ui/instant-words";
import type { Wish } from "./access-changes";

const dayMs = 86_400_000;
const presets = [1, 7, 30];

interface EndFieldProps {
  end: string | undefined;
  /** Set when the role must have an end. */
  required?: boolean;
}

/** The end of a role in the reader's time zone; empty for none. */
export function EndField({ end, required = false }: EndFieldProps) {
  const [value, setValue] = useState(end === undefined ? "" : localInput(new Date(end)));
  const set = (days: number) => setValue(localInput(new Date(serverNow() + days * dayMs)));
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t("Ends at ({zoneName} time)", { zoneName: zoneName() })}
        hint={required ? undefined : t("Leave it empty for a role that does not end by itself.")}
        required={required}
        name="end"
        type="datetime-local"
        min={localInput(new Date(serverNow() + 60_000))}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        {presets.map((days) => (
          <Button key={days} size="small" onClick={() => set(days)}>
            {plural(days, "1 day", "{count} days")}
          </Button>
        ))}
        {required ? null : (
          <Button size="small" onClick={() => setValue("")}>
            {t("No end")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The instant of the field; undefined when it is empty. */
export const endIn = (form: FormData): string | undefined =>
  localInstant(String(form.get("end") ?? ""))?.toISOString();

interface RoleEndDialogProps {
  label: string;
  end: string | undefined;
  onEnd: (wanted: Wish) => void;
  onClose: () => void;
}

/** Nothing is saved here: the end is one of the changes of the page. */
export function RoleEndDialog({ label, end, onEnd, onClose }: RoleEndDialogProps) {
  const choose = async (form: FormData) => onEnd(endIn(form) ?? true);
  return (
    <ActionDialog
      title={label}
      description={t(
        "At its end the role gives nothing any more, to API keys and open sessions too.",
      )}
      confirm={t("Apply")}
      failed={t("The end was not changed")}
      onConfirm={choose}
      onClose={onClose}
    >
      <EndField end={end} />
    </ActionDialog>
  );
}

interface GrantUntilDialogProps {
  title: string;
  onGrant: (expiresAt: string) => Promise<unknown>;
  onClose: () => void;
}

/** Grants a requested role until a time. */
export function GrantUntilDialog({ title, onGrant, onClose }: GrantUntilDialogProps) {
  const grant = async (form: FormData) => {
    const end = endIn(form);
    if (end !== undefined) await onGrant(end);
  };
  return (
    <ActionDialog
      title={title}
      description={t(
        "At its end the role gives nothing any more, to API keys and open sessions too.",
      )}
      confirm={t("Grant until then")}
      failed={t("Nothing was decided")}
      onConfirm={grant}
      onClose={onClose}
    >
      <EndField end={undefined} required />
    </ActionDialog>
  );
}
