import { rich } from "@/components/texts/rich";
import { type Message, msg, number, t } from "@/components/texts/t";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Sparkline } from "@/components/ui/chart/sparkline";
import { Instant } from "@/components/ui/instant";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { isLeaked } from "./hygiene";
import { limitTexts } from "./usage-limits";

export function KeyExpiry({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <Instant at={apiKey.validTo} />
      <span className="max-sm:hidden">
        , <Instant at={apiKey.validTo} form="day" />
      </span>
      {apiKey.previousValidTo ? (
        <span className="block text-meta text-warning max-sm:hidden">
          {rich("previous secret expires {when}", {
            when: <Instant at={apiKey.previousValidTo} />,
          })}
        </span>
      ) : null}
    </>
  );
}

export function KeyLastUse({ apiKey }: { apiKey: ApiKey }) {
  if (!apiKey.lastUsedAt) return t("never");
  return (
    <>
      <Instant at={apiKey.lastUsedAt} />
      {apiKey.lastUsedOperation ? (
        <span className="text-faint">, {apiKey.lastUsedOperation.replace(/^\w+ \/v1\//, "")}</span>
      ) : null}
    </>
  );
}

/** The limits of a key, if it has any. */
export function KeyLimits({ apiKey }: { apiKey: ApiKey }) {
  const limits = [
    ...(apiKey.permissions ?? []),
    ...(apiKey.sites ?? []).map((site) => t("site {site}", { site })),
  ];
  const texts = [
    ...(limits.length > 0 ? [t("only {limits}", { limits: limits.join(", ") })] : []),
    ...limitTexts(apiKey),
  ];
  return texts.map((text) => (
    <span key={text} className="block truncate text-meta font-normal text-muted" title={text}>
      {text}
    </span>
  ));
}

/** The caller and purpose of the key's last use, as the start of a sentence about it. */
export function KeyUse({ apiKey }: { apiKey: ApiKey }) {
  const { lastUsedAt, lastUsedIp, lastUsedOperation } = apiKey;
  if (!lastUsedAt) return `${t("Never used.")} `;
  const parts = {
    when: <Instant at={lastUsedAt} />,
    address: lastUsedIp,
    operation: lastUsedOperation,
  };
  return (
    <>
      {lastUsedIp
        ? lastUsedOperation
          ? rich("Used {when} from {address} for {operation}.", parts)
          : rich("Used {when} from {address}.", parts)
        : lastUsedOperation
          ? rich("Used {when} for {operation}.", parts)
          : rich("Used {when}.", parts)}{" "}
    </>
  );
}

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

/** The number of calls with a key in the given days. */
export const callsOf = (week: number[]) => week.reduce((sum, day) => sum + day, 0);

/** Calls with a key in the last 7 days. */
export function KeyWeek({ week }: { week: number[] | undefined }) {
  const calls = callsOf(week ?? []);
  if (!week || calls === 0) return <span className="text-muted">{t("none")}</span>;
  return (
    <Sparkline
      values={week}
      isOpenEnded
      label={t("{calls} calls in 7 days", { calls: number(calls) })}
      width={72}
      height={20}
    />
  );
}
