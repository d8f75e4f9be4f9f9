import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { ApiError } from "@/lib/protocol/errors";
import { type AccountWay, assertMayUse } from "./account-access";
import type { AccountRequest } from "./account-rules";
import { findTarget } from "./find-target";
import type { Rejections } from "./values";

const shownWays = ["details", "email-address", "password-link"] as const satisfies (AccountWay &
  keyof Rejections)[];

async function rejectionOf(way: AccountWay, request: AccountRequest): Promise<string | undefined> {
  try {
    await assertMayUse(way, request);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error.message;
    throw error;
  }
}

/** Asks the rules of the operations themselves, so that a page offers what they do. Throws 404 for a user whom the caller may not see. */
export async function findRejections(caller: Caller, userId: string): Promise<Rejections> {
  const target = await findTarget(db(), caller, userId, "user.manage");
  const rejections: Rejections = {};
  for (const way of shownWays) {
    const detail = await rejectionOf(way, { tx: db(), caller, target });
    if (detail !== undefined) rejections[way] = detail;
  }
  return rejections;
}
