import { globalStatements } from "@/lib/database/global";
import { read } from "@/lib/database/open";

/** An import that is not at its end. */
export interface OpenImport {
  tenantId: string;
  importId: string;
  state: string;
  leaseHolder: string | null;
  leaseBeat: number;
}

/** The open imports of all tenants. */
export const openImports = (): Promise<readonly OpenImport[]> =>
  read<OpenImport>("open-imports", globalStatements.openImports, []);
