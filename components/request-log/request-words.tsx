"use client";

import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { msg, t, translated } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import type { RefusedRequest } from "@/lib/features/request-log/contract";
import type { Permission } from "@/lib/protocol/permissions";

const linkLook = "rounded-[3px] underline decoration-border-strong underline-offset-4";

/** A status, coloured by what it means for the caller. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "success";
  return <Badge tone={tone}>{status}</Badge>;
}

/** The fields that a reason names as JSON Pointers, or the unchanged reason. */
function reasonText(reason: string): string {
  const pointers = reason.split(",");
  if (!pointers.every((one) => /^\/[^/ ]+/.test(one))) return reason;
  return pointers.map((one) => one.slice(1)).join(", ");
}

/** The reason why a request was rejected, in words; the opened row shows the code. Nothing where it succeeded. */
export function WhyText({ request: { code, title, reason } }: { request: RefusedRequest }) {
  if (code === "") return null;
  return (
    <>
      {translated(title)}
      {reason ? <span className="text-muted"> {reasonText(reason)}</span> : null}
    </>
  );
}

const kinds = {
  session: msg("a session"),
  apiKey: msg("an API key"),
  bearer: msg("a bearer token"),
  anonymous: msg("a shopper"),
  customer: msg("a customer"),
};

interface CallerNameProps {
  request: RefusedRequest;
  /** False in lists, where two links would be too close for a thumb; the row's peek has them. */
  hasLinks?: boolean;
}

/** The caller: the API key by name and owner, or the user, with links; the kind of caller when the name is unknown. */
export function CallerName({ request: { caller }, hasLinks = true }: CallerNameProps) {
  const { tenant, permissions } = usePortal().view;
  if (!caller) return t("unknown");
  const { kind, userId, login, keyName } = caller;
  if (userId === undefined || login === undefined) return t(kinds[kind]);
  const user = `/t/${tenant}/users/${userId}`;
  const link = (href: string, permission: Permission, text: string) =>
    hasLinks && permissions.includes(permission) ? (
      <Link href={href} className={linkLook}>
        {text}
      </Link>
    ) : (
      text
    );
  const owner = link(user, "user.read", login);
  if (keyName === undefined) return owner;
  const key = link(`${user}/api-keys`, "api-key.manage", keyName);
  return rich("{key} of {owner}", { key, owner });
}
