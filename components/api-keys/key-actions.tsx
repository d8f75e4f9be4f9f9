"use client";

import { MoreHorizontal } from "lucide-react";
import { Suspense } from "react";
import { requestsPath } from "@/components/request-log/requests-path";
import { useAskedAction } from "@/components/shell/asked-action";
import { usePortal } from "@/components/shell/portal";
import type { PortalView } from "@/components/shell/portal-view";
import { useIsPostponed } from "@/components/shell/postponed";
import { msg, t } from "@/components/texts/t";
import { lazyPart } from "@/components/ui/lazy-part";
import type { MenuItem } from "@/components/ui/menu/item";
import { Menu } from "@/components/ui/menu/menu";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { KeyAction } from "./key-dialogs";
import type { Whose } from "./suspend";
import type { CallableOperation } from "./what-it-can-call";

const KeyDialog = lazyPart(() => import("./key-dialogs").then((module) => module.KeyDialog));

interface KeyActionsProps {
  apiKey: ApiKey;
  whose: Whose;
  /** Whether the current user may rotate it: its owner, or a manager of a service user's key. */
  mayRotate: boolean;
  callable: CallableOperation[];
  /** Called after a change: the keys on screen are outdated. */
  onDone: () => void;
}

/** A link to the key's calls, for those who may read the request log. */
function requestsItem({ tenant, permissions }: PortalView, apiKeyId: string): MenuItem[] {
  if (!permissions.includes("audit.read")) return [];
  return [
    { key: "requests", label: t("See requests"), href: requestsPath(tenant, { apiKey: apiKeyId }) },
  ];
}

const isUsable = ({ status }: ApiKey) => status === "active" || status === "suspended";

/** The actions whose dialog the address can open. */
function askable({
  apiKey,
  whose,
  mayRotate,
}: Pick<KeyActionsProps, "apiKey" | "whose" | "mayRotate">): KeyAction[] {
  return [
    ...(mayRotate ? (["rotate"] as const) : []),
    ...(whose === "own" ? (["rename"] as const) : []),
    ...(apiKey.handedOver ? [] : ([apiKey.status === "suspended" ? "resume" : "suspend"] as const)),
  ];
}

/** The actions disabled while a revocation is pending: they would restore the key or end it twice. */
const changesState: ReadonlySet<KeyAction> = new Set(["rotate", "resume", "handover", "revoke"]);

const pauseLabels = { resume: msg("Resume key"), suspend: msg("Suspend key") };

/** The actions for a key; the user's own keys have a separate button to revoke them. */
export function KeyActions({ apiKey, whose, mayRotate, callable, onDone }: KeyActionsProps) {
  const { view } = usePortal();
  const isBeingRevoked = useIsPostponed(apiKey.apiKeyId);
  const offered = isBeingRevoked ? [] : askable({ apiKey, whose, mayRotate });
  const [action, setAction] = useAskedAction<KeyAction>(offered, apiKey.apiKeyId);
  const item = (key: KeyAction, label: string, danger = false): MenuItem => ({
    key,
    label,
    danger,
    ...(isBeingRevoked && changesState.has(key) && { unavailable: t("Being revoked") }),
    onSelect: () => setAction(key),
  });
  const pause = apiKey.status === "suspended" ? "resume" : "suspend";
  const items = [
    ...(mayRotate ? [item("rotate", t("Rotate secret"))] : []),
    ...(apiKey.previousValidTo ? [item("previous", t("See who uses the previous secret"))] : []),
    ...(whose === "own" ? [item("rename", t("Rename key"))] : []),
    ...(isUsable(apiKey) ? [item("limits", t("Change limits"))] : []),
    item("rights", t("See rights used")),
    ...requestsItem(view, apiKey.apiKeyId),
    ...(apiKey.handedOver ? [] : [item(pause, t(pauseLabels[pause]))]),
    ...(whose === "managed"
      ? [item("handover", t("Hand over to another user")), item("revoke", t("Revoke key"), true)]
      : []),
  ];
  return (
    <>
      <Menu
        tone="quiet"
        size="icon"
        aria-label={t("Actions for key {name}", { name: apiKey.name })}
        icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
        groups={[{ key: "actions", items }]}
      />
      <Suspense>
        {action ? (
          <KeyDialog
            action={action}
            apiKey={apiKey}
            whose={whose}
            callable={callable}
            onDone={onDone}
            onClose={() => setAction(undefined)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
