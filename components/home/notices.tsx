"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import type { Notice, NoticeKind } from "@/lib/features/notices/contract";
import { noticesKey } from "./query-keys";

const words: Record<NoticeKind, string> = {
  "password-changed": "Your password was changed",
  "password-reset": "Your password was reset",
  "password-link-created": "A link to set your password was created",
  "profile-changed": "Your profile was changed",
  "roles-changed": "Your roles were changed",
  locked: "Your account was locked",
  unlocked: "Your account was unlocked",
  deactivated: "Your account was deactivated",
  reactivated: "Your account was reactivated",
  "sessions-ended": "All your sessions were ended",
  "api-key-created": "API key created",
  "api-key-changed": "API key changed",
  "api-key-suspended": "API key suspended",
  "api-key-leaked": "API key reported as leaked",
  "new-network": "You signed in from a new network",
};

const fieldWords: Record<string, string> = { name: "name", emailAddress: "e-mail address" };

function textOf({ kind, fields, subject }: Notice): string {
  const named = fields.map((field) => fieldWords[field]).filter((one) => one !== undefined);
  const detail = kind === "profile-changed" ? named.join(", ") : subject;
  return detail ? `${words[kind]}: ${detail}` : words[kind];
}

function Author({ notice: { byOneself, by, address } }: { notice: Notice }) {
  const from = address === undefined || address === "local" ? "" : ` from ${address}`;
  if (byOneself) return `by you${from}`;
  if (by.type === "system") return "by the system";
  return `by ${by.login ?? by.id}`;
}

/** What happened to the reader's account in the last 30 days, whoever did it. */
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
      title="Changes to your account"
      description="From the last 30 days. If you do not recognize a change, change your password and tell an administrator."
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
              aria-label={`Dismiss: ${textOf(notice)}`}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => dismiss.mutate(notice.id)}
            />
          </li>
        ))}
      </ul>
      {dismiss.error ? <CallFailed title="Notice not dismissed" error={dismiss.error} /> : null}
    </Card>
  );
}
