"use client";

import { useEffect, useState } from "react";
import { addressOfProvider, followStepUp } from "@/components/connections/provider-call";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { CallError, call } from "@/lib/catalogue/client";
import { usePortal } from "./portal";
import { endIdentityCheck } from "./step-up-gate";

/** The display name of the provider. */
function useProviderName(tenant: string, connection: string): string {
  const [name, setName] = useState("");
  useEffect(() => {
    call("GET /v1/user/sign-in-connections", { tenant }).then(
      (found) => setName(found.find(({ id }) => id === connection)?.name ?? ""),
      () => undefined,
    );
  }, [tenant, connection]);
  return name;
}

/** The user signs in again at the provider, in another window; pending requests are then sent again. */
export function ProviderStepUpDialog({ providerId }: { providerId: string }) {
  const { view } = usePortal();
  const [tenant = "", connection = ""] = providerId.split(".");
  const name = useProviderName(tenant, connection);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => followStepUp(() => endIdentityCheck(true)), []);
  const open = async () => {
    // Opened by the click itself: browsers block windows that open later.
    const opened = window.open("about:blank", "_blank");
    if (!opened)
      throw new CallError(
        0,
        "auth.step-up-required",
        t("Your browser blocked the window. Allow windows of this page, and try again."),
      );
    try {
      const way = { tenant, connection, intent: "step-up", acting: view.tenant } as const;
      opened.location.href = await addressOfProvider(way);
      setIsOpen(true);
    } catch (thrown) {
      opened.close();
      throw thrown;
    }
  };
  return (
    <ActionDialog
      title={t("Confirm your identity")}
      description={t(
        "You have not confirmed it for a while, and this change is sensitive. What you filled in stays as it is.",
      )}
      confirm={name ? t("Sign in again with {name}", { name }) : t("Sign in again")}
      failed={t("Your identity was not confirmed")}
      onConfirm={open}
      onClose={() => undefined}
      onCancel={() => endIdentityCheck(false)}
    >
      <p className="text-control" role="status">
        {isOpen
          ? t("Continue in the other window. This page goes on by itself.")
          : t("A window of your provider opens, in which you sign in again.")}
      </p>
    </ActionDialog>
  );
}
