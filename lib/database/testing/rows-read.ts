import { escapeLiteral } from "pg";
import { db } from "@/lib/database/open";
import { preparedStatements } from "./guard";

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Relation Name"?: string;
  Plans?: Plan[];
}

const scansOf = (plan: Plan): Plan[] => [
  ...(plan["Relation Name"] === undefined ? [] : [plan]),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

/** How many table rows a prepared statement reads, returned or not, with the plan for unknown values. */
export async function rowsRead(name: string, values: unknown[]): Promise<number> {
  const client = await db().$client.connect();
  try {
    await client.query("set plan_cache_mode = force_generic_plan");
    await client.query(`prepare looked as ${preparedStatements.get(name)}`);
    const given = values.map((value) => escapeLiteral(String(value))).join(", ");
    const { rows } = await client.query(`explain (analyze, format json) execute looked(${given})`);
    const scans = scansOf(rows[0]?.["QUERY PLAN"][0].Plan);
    return scans.reduce((sum, scan) => {
      const each = scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0);
      return sum + each * scan["Actual Loops"];
    }, 0);
  } finally {
    await client.query("deallocate all");
    client.release(true);
  }
}
