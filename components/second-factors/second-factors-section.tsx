"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import type { SecondFactor } from "@/lib/features/sessions/second-factors/contract";
import { secondFactorKeys } from "./query-keys";

const FactorsTable = lazyPart(
  () => import("./factors-table").then((module) => module.FactorsTable),
  {
    kind: "panel",
    isRare: true,
  },
);
const SetUpDialog = lazyPart(() => import("./set-up-dialog").then((module) => module.SetUpDialog), {
  isRare: true,
});
const AddPasskeyDialog = lazyPart(
  () => import("./factor-dialogs").then((module) => module.AddPasskeyDialog),
  { isRare: true },
);
const RenewCodesDialog = lazyPart(
  () => import("./factor-dialogs").then((module) => module.RenewCodesDialog),
  { isRare: true },
);

/** The user's second factors; they belong to the user, so only the home tenant changes them. */
export function SecondFactorsSection({ home }: { home: string }) {
  const { view } = usePortal();
  return (
    <Card
      id="second-factors"
      title={t("Sign-in")}
      description={t("Passkeys, and the code that the sign-in asks for after the password.")}
    >
      {home === view.tenant ? (
        <OwnFactors />
      ) : (
        <p className="text-muted">
          {rich(
            "Your second factors belong to your home tenant {home}. Sign in there to change them.",
            {
              home: <b className="font-medium text-text">{home}</b>,
            },
          )}
        </p>
      )}
    </Card>
  );
}

function OwnFactors() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: secondFactorKeys.own(view.tenant),
    queryFn: async ({ signal }) => {
      const [factors, left] = await Promise.all([
        call("GET /v1/user/second-factors", { signal }),
        call("GET /v1/user/second-factors/recovery-codes", { signal }),
      ]);
      return { factors, ...left };
    },
  });
  return (
    <Loaded found={found} failed={t("Your second factors could not be loaded")} skeleton="h-20">
      {({ factors, recoveryCodesLeft }) => (
        <Factors factors={factors} recoveryCodesLeft={recoveryCodesLeft} />
      )}
    </Loaded>
  );
}

interface FactorsProps {
  factors: SecondFactor[];
  recoveryCodesLeft: number;
}

function Factors({ factors, recoveryCodesLeft }: FactorsProps) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const [open, setOpen] = useState<"passkey" | "set-up" | "codes">();
  const close = () => {
    setOpen(undefined);
    void queries.invalidateQueries({ queryKey: secondFactorKeys.own(view.tenant) });
  };
  const isSetUp = factors.length > 0;
  return (
    <div className="flex flex-col items-start gap-4">
      {isSetUp ? (
        <Suspense>
          <FactorsTable factors={factors} />
        </Suspense>
      ) : (
        <p className="text-control text-muted">
          {t(
            "Your password alone signs you in. With a passkey or an authenticator app, a stolen password is not enough.",
          )}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => setOpen("passkey")}>{t("Add passkey")}</Button>
        <Button onClick={() => setOpen("set-up")}>{t("Set up authenticator app")}</Button>
        {isSetUp ? (
          <Button onClick={() => setOpen("codes")}>{t("Replace recovery codes")}</Button>
        ) : null}
        {isSetUp ? (
          <span className="text-body text-muted">
            {plural(
              recoveryCodesLeft,
              "{count} recovery code left",
              "{count} recovery codes left",
              {
                count: recoveryCodesLeft,
              },
            )}
          </span>
        ) : null}
      </div>
      <Suspense>
        {open === "passkey" ? <AddPasskeyDialog onClose={close} /> : null}
        {open === "set-up" ? <SetUpDialog onClose={close} /> : null}
        {open === "codes" ? <RenewCodesDialog onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
