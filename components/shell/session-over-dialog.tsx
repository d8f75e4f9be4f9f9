"use client";

import { SignInForm } from "@/components/sign-in/sign-in-form";
import { t } from "@/components/texts/t";
import { Dialog } from "@/components/ui/dialog";
import { usePortal } from "./portal";
import { signedInAgain } from "./session-gate";

export function SessionOverDialog() {
  const { view } = usePortal();
  return (
    <Dialog
      open
      onOpenChange={() => window.location.assign("/sign-in")}
      title={t("Your session has ended")}
      description={t("Sign in again to continue. Everything on this page stays as it is.")}
    >
      <SignInForm
        tenant={view.tenant}
        login={view.user.login}
        onSignedIn={({ login }) => {
          if (login === view.user.login) signedInAgain();
          else window.location.reload();
        }}
      />
    </Dialog>
  );
}
