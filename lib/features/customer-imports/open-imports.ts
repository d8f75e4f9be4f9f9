import { globalStatements } from "@/lib/database/global";
import { readAllTenants } from "@/lib/database/tenant-scans";

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
  readAllTenants<OpenImport>("open-imports", globalStatements.openImports, []);
