"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import type { Notice, NoticeKind } from "@/lib/features/notices/contract";
import { noticesKey } from "./query-keys";

const words: Record<NoticeKind, Message> = {
  "password-changed": msg("Your password was changed"),
  "password-reset": msg("Your password was reset"),
  "password-link-created": msg("A link to set your password was created"),
  "profile-changed": msg("Your profile was changed"),
  "roles-changed": msg("Your roles were changed"),
  locked: msg("Your account was locked"),
  unlocked: msg("Your account was unlocked"),
  deactivated: msg("Your account was deactivated"),
  reactivated: msg("Your account was reactivated"),
  "sessions-ended": msg("All your sessions were ended"),
  "api-key-created": msg("API key created"),
  "api-key-changed": msg("API key changed"),
  "api-key-suspended": msg("API key suspended"),
  "api-key-leaked": msg("API key reported as leaked"),
  "api-key-link-created": msg("Link to the secret of an API key created"),
  "api-key-link-opened": msg("Link to the secret of an API key opened"),
  "second-factor-added": msg("Second factor set up"),
  "second-factor-removed": msg("Second factor removed"),
  "second-factors-reset": msg("Second factors reset"),
  "recovery-codes-created": msg("Recovery codes replaced"),
  "recovery-code-used": msg("Recovery code used"),
  "new-network": msg("You signed in from a new network"),
};

const fieldWords: Record<string, Message> = {
  name: msg("name"),
  emailAddress: msg("e-mail address"),
};

function textOf({ kind, fields, subject }: Notice): string {
  const named = fields.flatMap((field) => {
    const known = fieldWords[field];
    return known ? [t(known)] : [];
  });
  const detail = kind === "profile-changed" ? named.join(", ") : subject;
  const what = t(words[kind]);
  return detail ? `${what}: ${detail}` : what;
}

function Author({ notice: { kind, byOneself, by, address } }: { notice: Notice }) {
  if (kind === "api-key-link-opened") return t("by whoever had the link");
  if (byOneself)
    return address === undefined || address === "local"
      ? t("by you")
      : t("by you from {address}", { address });
  if (by.type === "system") return t("by the system");
  return t("by {login}", { login: by.login ?? by.id });
}

/** What happened to the reader's account in the last 30 days, by anybody. */
export function Notices() {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const key = noticesKey(view.tenant);
  const { data: notices = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /v1/user/notices", { signal }),
  });
  const dismiss = useMutation({
    mutationFn: (id: string) => call("POST /v1/user/notices/{id}/dismiss", { params: { id } }),
    onSuccess: (_, id) =>
      queries.setQueryData<Notice[]>(key, (all) => all?.filter((one) => one.id !== id)),
  });
  if (notices.length === 0) return null;
  return (
    <Card
      id="notices"
      title={t("Changes to your account")}
      description={t(
        "From the last 30 days. If you do not recognize a change, change your password and tell an administrator.",
      )}
    >
      <ul className="-my-1 flex max-h-72 flex-col overflow-y-auto">
        {notices.map((notice) => (
          <li key={notice.id} className="flex items-center gap-3 text-body">
            <p className="min-w-0 flex-1 break-words">
              <span className="font-medium">{textOf(notice)}</span>{" "}
              <span className="text-muted">
                <Author notice={notice} />, <Instant at={notice.occurredAt} />
              </span>
            </p>
            <Button
              tone="quiet"
              size="icon"
              aria-label={t("Dismiss: {textOf}", { textOf: textOf(notice) })}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => dismiss.mutate(notice.id)}
            />
          </li>
        ))}
      </ul>
      {dismiss.error ? (
        <CallFailed title={t("Notice not dismissed")} error={dismiss.error} />
      ) : null}
    </Card>
  );
}
