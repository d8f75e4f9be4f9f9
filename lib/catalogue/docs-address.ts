import type { Endpoint } from "@/lib/protocol/endpoint";
import { errorCodes } from "@/lib/protocol/error-codes";
import { operations } from "./operations";

/** "get-v1-user-list": an operation in an address. */
export const slugOf = (declared: Pick<Endpoint, "operation">) =>
  declared.operation
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

const isOperation = (text: string) => operations.some(({ operation }) => operation === text);

/** The page of an operation ("GET /v1/user/list") or of an error code ("user.locked"). */
export function findReference(text: string): string | undefined {
  if (isOperation(text)) return `/docs/${slugOf({ operation: text })}`;
  return Object.hasOwn(errorCodes, text) ? `/docs/errors/${text}` : undefined;
}
