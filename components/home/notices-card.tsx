"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useOwnKeys } from "@/components/api-keys/own-keys";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { CallFailed } from "@/components/ui/error-notice";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { runEach } from "@/components/ui/run-each";
import { AccessRequests } from "@/components/users/access-requests";
import type { Notice } from "@/lib/features/notices/contract";
import { noticeLines, type TenantFacts } from "./notice-lines";
import { NoticeList } from "./notice-list";
import { noticesKey } from "./query-keys";

/** More are on the page of notices. */
const maxAtHome = 5;

/** The notice lines of the reader, and a function that dismisses those without an action. */
function useNotices(facts: TenantFacts) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const key = noticesKey(view.tenant);
  const { data: keys = [] } = useQuery(useOwnKeys());
  const { data: happened = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /v1/user/notices", { signal }),
  });
  const remove = (id: string) =>
    queries.setQueryData<Notice[]>(key, (all) => all?.filter((one) => one.id !== id));
  const dismiss = useMutation({
    mutationFn: async (notices: Notice[]) => {
      let failure: Error | undefined;
      await runEach(
        notices,
        ({ id }) => call("POST /v1/user/notices/{id}/dismiss", { params: { id } }),
        ({ item, error }) => {
          if (error) failure = error;
          else remove(item.id);
        },
      );
      if (failure) throw failure;
    },
  });
  return { lines: noticeLines(view.tenant, facts, { keys, happened }), dismiss };
}

interface DismissAllProps {
  notices: Notice[];
  dismiss: ReturnType<typeof useNotices>["dismiss"];
}

function DismissAll({ notices, dismiss }: DismissAllProps) {
  if (notices.length === 0) return null;
  return (
    <Button
      size="small"
      tone="quiet"
      busy={dismiss.isPending}
      onClick={() => dismiss.mutate(notices)}
    >
      {t("Dismiss all")}
    </Button>
  );
}

/** The most urgent notices, at most five lines; nothing when there are none. */
export function NoticesCard({ facts }: { facts: TenantFacts }) {
  const { view } = usePortal();
  const { lines, dismiss } = useNotices(facts);
  if (lines.length === 0) return null;
  return (
    <Card
      id="notices"
      title={t("Notices")}
      flush
      actions={
        <div className="flex items-center gap-3 max-sm:-ms-2">
          <DismissAll notices={lines.flatMap(({ notices }) => notices)} dismiss={dismiss} />
          <Link
            href={`/t/${view.tenant}/notices`}
            className="rounded-[3px] text-body font-medium text-accent underline-offset-4 hover:underline"
          >
            {lines.length > maxAtHome
              ? t("Show all {count}", { count: lines.length })
              : t("Show all")}
          </Link>
        </div>
      }
    >
      <NoticeList lines={lines.slice(0, maxAtHome)} onDismiss={dismiss.mutate} />
      {dismiss.error ? (
        <CallFailed title={t("Notice not dismissed")} error={dismiss.error} />
      ) : null}
    </Card>
  );
}

interface NoticesPageProps {
  facts: TenantFacts;
  roleNames: Record<string, string>;
}

/** Every notice, with the single notices of each line. */
export function NoticesPage({ facts, roleNames }: NoticesPageProps) {
  const { lines, dismiss } = useNotices(facts);
  const all = lines.flatMap(({ notices }) => notices);
  // Access requests are listed one by one above.
  const others = lines.filter(({ kind }) => kind !== "access-requests");
  return (
    <>
      <PageHeader
        title={t("Notices")}
        lead={t(
          "What waits for you, and what others changed at your account in the last 30 days. If you do not recognize a change, change your password and tell an administrator.",
        )}
        actions={<DismissAll notices={all} dismiss={dismiss} />}
      />
      <div className="flex flex-col gap-6">
        <AccessRequests roleNames={roleNames} />
        {others.length > 0 || lines.length === 0 ? (
          <Card flush>
            {others.length > 0 ? (
              <NoticeList lines={others} onDismiss={dismiss.mutate} isWhole />
            ) : (
              <EmptyState
                title={t("No notices")}
                purpose={t(
                  "Alerts that fire, keys that end soon and changes to your account appear here.",
                )}
              />
            )}
            {dismiss.error ? (
              <CallFailed title={t("Notice not dismissed")} error={dismiss.error} />
            ) : null}
          </Card>
        ) : null}
      </div>
    </>
  );
}
