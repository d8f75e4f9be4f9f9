import type { RoleId } from "@/lib/access/roles";

/** Somebody of the demo tenant; nobody here has a password. */
export interface DemoPerson {
  login: string;
  name: string;
  /** What stands before @nordwind.example. */
  mail: string;
  /** Days before the first run; `seen` is absent for somebody who never signed in. */
  since: number;
  seen?: number;
  tenant?: RoleId[];
  eu?: RoleId[];
  us?: RoleId[];
  state?: "invited" | "deactivated";
  locked?: string;
  kind?: "service";
}
