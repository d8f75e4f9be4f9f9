import { Check, X } from "lucide-react";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { SignInSafety } from "@/lib/features/connections/enforcement-contract";

/** What has to be true before passwords are limited to emergency administrators. */
export function SafetyList({ safety }: { safety: SignInSafety }) {
  const { connectionSignIn, lastConnectionSignInAt: last, emergencyAdministrator } = safety;
  return (
    <div className="text-body">
      <p className="mb-1 font-medium">{t("Before passwords are limited to them")}</p>
      <ul className="flex flex-col gap-1">
        <Line isDone={connectionSignIn}>
          {t("A tenant.admin signed in at an identity provider within the last hour.")}
          {last ? <> {rich("The last time: {when}.", { when: <Instant at={last} /> })}</> : null}
        </Line>
        <Line isDone={emergencyAdministrator}>
          {t("An emergency administrator has a password and a second factor that work.")}
        </Line>
      </ul>
    </div>
  );
}

function Line({ isDone, children }: { isDone: boolean; children: React.ReactNode }) {
  const Icon = isDone ? Check : X;
  return (
    <li className="flex items-start gap-2">
      <Icon
        role="img"
        aria-label={isDone ? t("Done##checklist") : t("Missing##checklist")}
        className={`mt-0.5 size-4 shrink-0 ${isDone ? "text-success" : "text-danger"}`}
      />
      <span>{children}</span>
    </li>
  );
}
