"use client";

import { use, useSyncExternalStore } from "react";
import { usePortal } from "@/components/shell/portal";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { t } from "@/components/texts/t";
import { Dialog } from "@/components/ui/dialog";
import { InstantChoices } from "@/components/ui/instant";
import { timeOfDay } from "@/components/ui/instant-words";
import { sessionGate, signedInAgain, signInLater } from "./gate";
import { renewSession } from "./times";

/** The texts and the close action of the dialog: before the end the page stays, afterwards it has no access to data. */
function useWords() {
  const { timeZone, locale } = use(InstantChoices);
  const endsAt = useSyncExternalStore(sessionGate.subscribe, sessionGate.endsAt);
  if (endsAt === undefined)
    return {
      title: t("Your session has ended"),
      description: t("Sign in again to continue. Everything on this page stays as it is."),
      onOpenChange: () => window.location.assign("/sign-in"),
    };
  const time = timeOfDay(new Date(endsAt), timeZone, locale);
  return {
    title: t("Sign in again"),
    description: t("Your session ends at {time}. Everything on this page stays as it is.", {
      time,
    }),
    onOpenChange: signInLater,
  };
}

export function SessionOverDialog() {
  const { view, call } = usePortal();
  const words = useWords();
  const goOn = async () => {
    signedInAgain();
    const session = await call("GET /v1/user/session", {}).catch(() => undefined);
    if (session?.expiresAt) renewSession(view.tenant, session.expiresAt);
  };
  return (
    <Dialog open {...words}>
      <SignInForm
        tenant={view.tenant}
        login={view.user.login}
        onSignedIn={({ login }) => {
          if (login === view.user.login) return goOn();
          window.location.reload();
        }}
      />
    </Dialog>
  );
}
