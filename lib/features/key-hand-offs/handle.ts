import type { HandlerOf } from "@/lib/http/context";
import { created } from "@/lib/http/created";
import type * as contract from "./contract";
import { createHandOff } from "./service";

export const create: HandlerOf<typeof contract.createHandOff> = async (context) =>
  created(
    context,
    `/v1/user/profile/api-keys/${context.params.apiKeyId}/hand-offs`,
    await createHandOff(context, "own"),
  );

export const createManaged: HandlerOf<typeof contract.createManagedHandOff> = async (context) =>
  created(
    context,
    `/v1/user/api-keys/${context.params.apiKeyId}/hand-offs`,
    await createHandOff(context, "managed"),
  );
