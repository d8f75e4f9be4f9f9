import type { ReactNode } from "react";
import type { PortalView } from "@/components/shell/portal-view";
import { withParts } from "@/components/texts/rich";
import { t, translated } from "@/components/texts/t";
import { Link } from "@/components/ui/link";
import { LoginText } from "@/components/users/login-text";
import type { AuditEvent } from "@/lib/features/audit/contract";
import {
  actorName,
  type SentenceEntry,
  saysFailed,
  sentenceOf,
  targetName,
} from "@/lib/features/audit/sentences";

type Place = Pick<PortalView, "tenant" | "permissions">;

/** A little wider than its text, which may be two letters, so that a thumb can hit it. */
const linkLook =
  "-mx-0.5 rounded-[3px] px-0.5 underline decoration-border-strong underline-offset-4";

/** A name, as a link when the reader may open its page. */
function Name({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return <span className="font-medium">{children}</span>;
  return (
    <Link href={href} className={linkLook}>
      {children}
    </Link>
  );
}

/** The page of an entry's target; undefined when there is none or the reader may not open it. */
export function pageOf({ tenant, permissions }: Place, { type, id, name }: AuditEvent["target"]) {
  const home = `/t/${tenant}`;
  const [site, key] = name?.split("/") ?? [];
  if (type === "user" && permissions.includes("user.read")) return `${home}/users/${id}`;
  if (type === "webhook" && permissions.includes("webhook.manage")) return `${home}/webhooks/${id}`;
  if (type === "audit-stream" && permissions.includes("audit.manage"))
    return `${home}/streams/${id}`;
  if (type === "alert" && permissions.includes("api-metric.read")) return `${home}/alerts/${id}`;
  if (type === "preview" && site && key && permissions.includes("preview.configuration.read"))
    return `${home}/sites/${site}/previews/${key}`;
  return undefined;
}

/** The actor: a user by login, with a link. */
function Actor({ actor, place }: { actor: AuditEvent["actor"]; place: Place }) {
  const { type, id } = actor;
  const name = actorName(actor);
  if (name === undefined) return t("The service");
  const isPerson = type === "user" || type === "service";
  const href = isPerson ? pageOf(place, { type: "user", id }) : undefined;
  return (
    <Name href={href}>
      <LoginText login={name} />
    </Name>
  );
}

/** Whether the action removed the target, so that it has no page. */
const isGone = (action: string) => /\.(deleted|erased)$/.test(action);

/** An entry of the trail as a sentence with names; an unknown action is shown as its code. */
export function Sentence({ event, place }: { event: SentenceEntry; place: Place }) {
  const { action, actor, target } = event;
  const words = sentenceOf(action);
  const name = targetName(target);
  const what = (
    <Name href={isGone(action) ? undefined : pageOf(place, target)}>
      {target.type === "user" ? <LoginText login={name} /> : name}
    </Name>
  );
  const who = <Actor actor={actor} place={place} />;
  return (
    <>
      {words === undefined ? (
        <>
          <code className="text-meta">{action}</code> {what}
        </>
      ) : (
        withParts(translated(words), { who, what })
      )}
      {saysFailed(event) ? <span className="text-danger">, {t("failed")}</span> : null}
    </>
  );
}
