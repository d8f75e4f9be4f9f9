import { type Caller, permissionScope } from "@/lib/access/caller";

/** Whether the caller may change the configurations of the site in the address. */
export const mayWrite = (caller: Caller) =>
  permissionScope(caller, "preview.configuration.write") !== undefined;
