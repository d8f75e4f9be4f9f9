"use client";

import { useEffect } from "react";
import { t } from "@/components/texts/t";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { SignInOutcome } from "@/lib/features/portal/values";
import { type FailureKind, failureWords } from "./outcome-words";
import { announceStepUp } from "./provider-call";

type Of<Kind extends SignInOutcome["is"]> = Extract<SignInOutcome, { is: Kind }>;

/** The page after a sign-in at a provider that did not end in the portal. */
export function Outcome({ outcome }: { outcome: SignInOutcome | undefined }) {
  if (!outcome)
    return (
      <>
        <h1 className="mb-4 text-title">{t("Sign in")}</h1>
        <p className="mb-6 text-control text-muted">
          {t("There is no sign-in to report on any more.")}
        </p>
        <Way href="/sign-in">{t("Back to the sign-in page")}</Way>
      </>
    );
  if (outcome.is === "stepped-up") return <SteppedUp name={outcome.name} />;
  return outcome.is === "trial" ? <TrialReport {...outcome} /> : <Failure {...outcome} />;
}

/** The page that requested the step-up continues; this window closes if the browser allows it. */
function SteppedUp({ name }: { name: string }) {
  useEffect(() => {
    announceStepUp();
    window.close();
  }, []);
  return (
    <>
      <h1 className="mb-4 text-title wrap-anywhere">{t("Sign in with {name}", { name })}</h1>
      <Notice tone="success">{t("Your identity is confirmed. Close this window.")}</Notice>
    </>
  );
}

const Way = ({ href, children }: { href: string; children: string }) => (
  <p className="mt-6">
    <Link
      href={href}
      className="rounded-control text-control underline decoration-border-strong underline-offset-4"
    >
      {children}
    </Link>
  </p>
);

function Words({ kind, value, requestId }: Pick<Of<"failure">, "kind" | "value" | "requestId">) {
  const { title, detail, remedy } = failureWords[kind];
  const named = { value: value ?? t("unknown##value") };
  return (
    <div className="flex flex-col gap-3">
      <ErrorNotice title={t(title)} detail={t(detail, named)} requestId={requestId} />
      {remedy ? (
        <Notice>
          <p className="font-medium">{t("What an administrator can do")}</p>
          <p>{t(remedy, named)}</p>
        </Notice>
      ) : null}
    </div>
  );
}

function Failure({ name, tenant, intent, ...failure }: Of<"failure">) {
  const isOwn = intent === "link" || intent === "try";
  return (
    <>
      <h1 className="mb-4 text-title wrap-anywhere">
        {name ? t("Sign in with {name}", { name }) : t("Sign in")}
      </h1>
      <Words {...failure} />
      {intent === "step-up" ? (
        <p className="mt-6 text-control">
          {t("Close this window, and try again from the portal.")}
        </p>
      ) : isOwn ? (
        <Way href={`/t/${tenant}`}>{t("Back to the portal")}</Way>
      ) : (
        <Way href={`/sign-in?tenant=${tenant}`}>{t("Back to the sign-in page")}</Way>
      )}
    </>
  );
}

const TrialGroups = ({ roles, more, isLeftOut }: NonNullable<Of<"trial">["trial"]["groups"]>) => (
  <>
    <h2 className="mt-6 mb-2 text-control font-semibold">{t("Roles by groups")}</h2>
    {isLeftOut ? (
      <Notice tone="warning">
        {t(
          "This person is in more groups than the provider writes into a token, so it left all of them out. Have it send only the groups that are assigned to the application, or provision the groups.",
        )}
      </Notice>
    ) : (
      <p className="text-body wrap-anywhere">
        {roles.length > 0
          ? t("The groups that came would give: {roles}.", { roles: roles.join(", ") })
          : t("None of the groups that came gives a role.")}
        {more > 0 ? ` ${t("And {more} more.", { more })}` : null}
      </p>
    )}
  </>
);

function TrialReport({ name, requestId, trial: { result, groups, claims, more } }: Of<"trial">) {
  return (
    <>
      <h1 className="mb-1 text-title wrap-anywhere">{t("Trial of {name}", { name })}</h1>
      <p className="mb-4 text-control text-muted">{t("Nothing was changed. Close this window.")}</p>
      <TrialResult result={result} requestId={requestId} />
      {groups ? <TrialGroups {...groups} /> : null}
      <h2 className="mt-6 mb-2 text-control font-semibold">{t("Claims that came")}</h2>
      <dl className="flex flex-col gap-2 text-body">
        {claims.map(([claim, value]) => (
          <div key={claim}>
            <dt>
              <code className="text-meta text-muted">{claim}</code>
            </dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {more > 0 ? (
        <p className="mt-2 text-body text-muted">{t("And {more} more.", { more })}</p>
      ) : null}
    </>
  );
}

interface ResultProps {
  result: Of<"trial">["trial"]["result"];
  requestId: string;
}

function TrialResult({ result, requestId }: ResultProps) {
  if (result.is === "fails")
    return <Words kind={result.kind as FailureKind} value={result.value} requestId={requestId} />;
  if (result.is === "signs-in")
    return (
      <Notice tone="success">
        {t("This person would sign in as {login}.", { login: result.login })}
      </Notice>
    );
  const { login, emailAddress } = result.person;
  return (
    <Notice tone="success">
      {t("A new user would be created: {login}, {emailAddress}.", { login, emailAddress })}
    </Notice>
  );
}
