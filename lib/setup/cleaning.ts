import * as networks from "@/lib/access/known-networks";
import { claimRound, cleaningTime } from "@/lib/database/clock";
import { dueTenants } from "@/lib/database/global";
import * as checkpoints from "@/lib/features/audit/checkpoints";
import * as customers from "@/lib/features/customers/old-records";
import * as previews from "@/lib/features/previews/list";
import { forgetDeletedPreviews } from "@/lib/features/previews/states";
import * as refusals from "@/lib/features/request-log/write";
import * as sessions from "@/lib/features/sessions/old-sessions";
import * as answers from "@/lib/http/idempotency";
import { log } from "@/lib/protocol/log";

const firstMilliseconds = 60_000;
const hourMilliseconds = 3_600_000;

interface Cleaning {
  statement: Parameters<typeof dueTenants>[0];
  keptMilliseconds: number;
  clean: (tenantId: string, now: Date) => Promise<void>;
}

/** Everything that is kept for a while only. */
const cleanings: Cleaning[] = [
  {
    statement: "tenantsWithOldSessions",
    keptMilliseconds: sessions.keptMilliseconds,
    clean: sessions.forgetOldSessions,
  },
  {
    statement: "tenantsWithOldAnswers",
    keptMilliseconds: answers.keptMilliseconds,
    clean: answers.forgetOldAnswers,
  },
  {
    statement: "tenantsWithOldNetworks",
    keptMilliseconds: networks.keptMilliseconds,
    clean: networks.forgetOldNetworks,
  },
  {
    statement: "tenantsWithOldFamilies",
    keptMilliseconds: customers.keptMilliseconds,
    clean: customers.forgetOldFamilies,
  },
  {
    statement: "tenantsWithOldPasswordTokens",
    keptMilliseconds: customers.keptMilliseconds,
    clean: customers.forgetOldPasswordTokens,
  },
  {
    statement: "tenantsWithOldActivity",
    keptMilliseconds: customers.activityKeptMilliseconds,
    clean: customers.forgetOldActivity,
  },
  {
    statement: "tenantsWithDeletedPreviews",
    keptMilliseconds: previews.keptMilliseconds,
    clean: forgetDeletedPreviews,
  },
  {
    statement: "tenantsWithOldAudit",
    keptMilliseconds: checkpoints.keptMilliseconds,
    clean: checkpoints.pruneAuditEvents,
  },
  {
    statement: "tenantsWithOldRefusals",
    keptMilliseconds: refusals.keptMilliseconds,
    clean: refusals.forgetOldRefusals,
  },
];

/** Deletes what is past its time, one tenant at a time. What fails is logged, and done by the next round. */
export async function cleanStore(now: Date): Promise<void> {
  for (const { statement, keptMilliseconds, clean } of cleanings) {
    try {
      for (const tenantId of await dueTenants(
        statement,
        new Date(now.getTime() - keptMilliseconds),
      ))
        await clean(tenantId, now);
    } catch (error) {
      log().warn({ err: error, statement }, "the cleaning was not finished");
    }
  }
}

/** One round, unless another process began one within the hour or no clock can be trusted. */
async function cleanOnce(): Promise<void> {
  const now = await cleaningTime();
  if (!now) log().warn("nothing is cleaned while the clock cannot be trusted");
  else if (await claimRound("cleaning", now, hourMilliseconds - firstMilliseconds))
    await cleanStore(now);
}

/** Cleans every hour, a minute from now for the first time. The answer stops it. */
export function startCleaning(): () => void {
  const round = async () => {
    await cleanOnce().catch((error: unknown) =>
      log().warn({ err: error }, "the cleaning was not finished"),
    );
    if (timer !== undefined) timer = setTimeout(round, hourMilliseconds).unref();
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(round, firstMilliseconds).unref();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
