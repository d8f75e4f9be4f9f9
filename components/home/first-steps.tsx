"use client";

import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { AddSampleTraffic } from "@/components/metrics/sample-parts";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { mayManageSample } from "@/components/shell/tenant-kind";
import { rich } from "@/components/texts/rich";
import { plural, t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { CodeBlock } from "@/components/ui/code-block";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import type { ApiKey } from "@/lib/features/api-keys/contract";

function createdWords(count: number, usable: string | undefined): string {
  if (usable === undefined) return plural(count, "1 key created.", "{count} keys created.");
  return plural(count, '1 key created, "{name}" works.', '{count} keys created, "{name}" works.', {
    name: usable,
  });
}

interface FirstStepsProps {
  keys: ApiKey[];
  /** Whether sample traffic is shown above. */
  hasSample: boolean;
}

/** The steps to the first external call; each is ticked automatically. */
export function FirstSteps({ keys, hasSample }: FirstStepsProps) {
  const { view } = usePortal();
  const usable = keys.find((key) => key.status === "active");
  const used = keys
    .filter((key) => key.lastUsedAt)
    .sort((a, b) => (b.lastUsedAt ?? "").localeCompare(a.lastUsedAt ?? ""))[0];
  const path = view.permissions.includes("user.read")
    ? "/v1/user/list?limit=20"
    : "/v1/user/profile";
  const curl = curlByKey(view, path);
  return (
    <Card title={t("First steps")} id="first-steps" description={t("Make your first API call.")}>
      <ol className="flex flex-col gap-5">
        <Step done={keys.length > 0} title={t("Generate an API key")}>
          {keys.length > 0 ? (
            createdWords(keys.length, usable?.name)
          ) : (
            <Link
              href={`/t/${view.tenant}/me?generate=1#api-keys`}
              className={buttonLook("primary")}
            >
              {t("Generate key")}
            </Link>
          )}
        </Step>
        <Step done={used !== undefined} title={t("Call the API")}>
          {used?.lastUsedAt ? (
            rich('Key "{name}" called {lastUsedOperation} {when}.', {
              name: used.name,
              lastUsedOperation: used.lastUsedOperation ?? t("the service"),
              when: <Instant at={used.lastUsedAt} />,
            })
          ) : (
            <CodeBlock code={curl} label={t("the first call")} />
          )}
        </Step>
        <Step done={false} open title={t("Explore the API")}>
          <Link href="/docs" className="underline decoration-border-strong underline-offset-4">
            {t("Open the reference")}
          </Link>
        </Step>
        <SampleStep hasSample={hasSample} />
      </ol>
    </Card>
  );
}

/** Sample traffic, for users who explore the portal before the first call. */
function SampleStep({ hasSample }: Pick<FirstStepsProps, "hasSample">) {
  const { view } = usePortal();
  if (!mayManageSample(view)) return null;
  return (
    <Step done={hasSample} open title={t("See what the charts show")}>
      {hasSample ? (
        <Link
          href={`/t/${view.tenant}/metrics?range=24h&sample=true`}
          className="underline decoration-border-strong underline-offset-4"
        >
          {t("Find who caused the peak of errors")}
        </Link>
      ) : (
        <>
          <p className="mb-2">{t("Two days of invented calls, with an incident to find.")}</p>
          <AddSampleTraffic />
        </>
      )}
    </Step>
  );
}

function Step({
  done,
  open = false,
  title,
  children,
}: {
  done: boolean;
  open?: boolean;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-3">
      <span
        className={classNames(
          "mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border",
          done ? "border-transparent bg-success-bg text-success" : "border-border-strong",
        )}
      >
        {done ? (
          <Check aria-label={t("Done")} className="size-3.5" />
        ) : (
          <span className="sr-only">{open ? t("Any time") : t("To do")}</span>
        )}
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="text-control font-medium">{title}</p>
        <div className="mt-1 text-muted">{children}</div>
      </div>
    </li>
  );
}
