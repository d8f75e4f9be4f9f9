"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import { notify } from "@/components/ui/toast";
import type { SecondFactor } from "@/lib/features/sessions/second-factors/contract";
import { secondFactorKeys } from "./query-keys";

const ActionDialog = lazyPart(() =>
  import("@/components/ui/form/action-dialog").then((module) => module.ActionDialog),
);

/** The reader's second factors, with a button to remove each. */
export function FactorsTable({ factors }: { factors: SecondFactor[] }) {
  return (
    <DataTable
      label={t("Your second factors")}
      className="w-full [--row:44px]"
      name="factors"
      heads={[t("Name"), t("Kind"), t("Set up"), t("Last used")]}
      hasActions
    >
      <tbody>
        {factors.map((factor) => (
          <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} />
        ))}
      </tbody>
    </DataTable>
  );
}

function FactorRow({ factor, isLast }: { factor: SecondFactor; isLast: boolean }) {
  const [asking, setAsking] = useState(false);
  const { kind, name, createdAt, lastUsedAt } = factor;
  return (
    <Row>
      <Cell>{name}</Cell>
      <Cell>{kind === "passkey" ? t("Passkey") : t("Authenticator app")}</Cell>
      <Cell label={t("Set up")}>
        <Instant at={createdAt} />
      </Cell>
      <Cell label={t("Last used")}>{lastUsedAt ? <Instant at={lastUsedAt} /> : t("Never")}</Cell>
      <Cell className="text-end" card="end">
        <Button
          size="small"
          aria-label={t("Remove second factor {name}", { name })}
          onClick={() => setAsking(true)}
        >
          {t("Remove")}
        </Button>
        {asking ? (
          <RemoveDialog factor={factor} isLast={isLast} onClose={() => setAsking(false)} />
        ) : null}
      </Cell>
    </Row>
  );
}

interface RemoveDialogProps {
  factor: SecondFactor;
  isLast: boolean;
  onClose: () => void;
}

function consequenceOf(kind: SecondFactor["kind"], isLast: boolean): string {
  if (isLast) return t("Your password alone will sign you in, and your recovery codes are void.");
  return kind === "passkey"
    ? t("It no longer signs you in. Remove it from your device too.")
    : t("Its codes no longer work. Your other second factors and recovery codes stay.");
}

function RemoveDialog({ factor: { id, kind, name }, isLast, onClose }: RemoveDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const remove = async () => {
    await call("DELETE /v1/user/second-factors/{id}", { params: { id } });
    void queries.invalidateQueries({ queryKey: secondFactorKeys.own(view.tenant) });
    void notify(t("Second factor removed"));
  };
  return (
    <Suspense>
      <ActionDialog
        title={t("Remove the second factor {name}", { name })}
        confirm={t("Remove")}
        danger
        failed={t("The second factor was not removed")}
        onConfirm={remove}
        onClose={onClose}
      >
        <p className="text-control">{consequenceOf(kind, isLast)}</p>
      </ActionDialog>
    </Suspense>
  );
}
