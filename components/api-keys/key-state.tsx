import { type Message, msg, t } from "@/components/texts/t";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { isLeaked } from "./hygiene";

const states: Record<ApiKey["status"], { tone: BadgeTone; words: Message }> = {
  active: { tone: "success", words: msg("Active") },
  suspended: { tone: "warning", words: msg("Suspended") },
  expired: { tone: "neutral", words: msg("Expired") },
  revoked: { tone: "neutral", words: msg("Revoked") },
};

/** Whether a key works, in one word; a leaked one says so. */
export function KeyState({
  apiKey,
}: {
  apiKey: Pick<ApiKey, "status" | "rotationRequired" | "handedOver">;
}) {
  const { tone, words } = states[apiKey.status];
  const leaked = isLeaked(apiKey);
  const isReceived = apiKey.handedOver && apiKey.status === "suspended";
  return (
    <Badge tone={leaked ? "danger" : tone} dot>
      {leaked ? t("Leaked, suspended") : isReceived ? t("Rotation required") : t(words)}
    </Badge>
  );
}
