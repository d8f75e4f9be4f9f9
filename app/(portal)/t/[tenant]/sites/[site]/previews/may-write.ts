import { type Caller, reach } from "@/lib/access/caller";

/** Whether the caller may change the configurations of the site in the address. */
export const mayWrite = (caller: Caller) =>
  reach(caller, "preview.configuration.write") !== undefined;
