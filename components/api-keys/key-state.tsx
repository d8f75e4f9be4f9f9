import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { ApiKey } from "@/lib/features/api-keys/contract";

const states: Record<ApiKey["status"], { tone: BadgeTone; words: string }> = {
  active: { tone: "success", words: "Active" },
  suspended: { tone: "warning", words: "Suspended" },
  expired: { tone: "neutral", words: "Expired" },
  revoked: { tone: "neutral", words: "Revoked" },
};

/** Whether a key works, in one word; a leaked one says so. */
export function KeyState({
  apiKey,
}: {
  apiKey: Pick<ApiKey, "status" | "rotationRequired" | "handedOver">;
}) {
  const { tone, words } = states[apiKey.status];
  const isLeaked = apiKey.rotationRequired && !apiKey.handedOver && apiKey.status === "suspended";
  const isReceived = apiKey.handedOver && apiKey.status === "suspended";
  return (
    <Badge tone={isLeaked ? "danger" : tone} dot>
      {isLeaked ? "Leaked, suspended" : isReceived ? "Rotation required" : words}
    </Badge>
  );
}
