import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { isAdministrator } from "@/lib/access/sign-in-rules";
import { read } from "@/lib/database/open";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type {
  listWithoutSecondFactor as declared,
  WithoutSecondFactor,
} from "./without-second-factor-contract";

interface Row {
  id: string;
  login: string;
  loginKey: string;
  name: string;
  grants: string;
  lastLoginAt: Date | null;
}

const statement = `select u.user_id as id, u.login, u.login_key as "loginKey", u.name, u.grants, u.last_login_at as "lastLoginAt"
  from users u where u.tenant_id = $1 and u.home_tenant_id = $1 and u.kind = 'person' and u.state = 'active' and u.erased_at is null
  and not exists (select 1 from second_factors f where f.tenant_id = $1 and f.user_id = u.user_id and f.confirmed_at is not null)
  and u.login_key > $2 order by u.login_key limit $3`;

/** The people of the tenant who sign in without a second factor, by login. Of guests the home tenant knows. */
export async function listWithoutSecondFactor(
  { tenantId }: Caller,
  { limit, cursor }: z.output<NonNullable<typeof declared.query>>,
): Promise<Page<WithoutSecondFactor>> {
  const [after = ""] = readCursor(cursor, 1) ?? [];
  const rows = await read<Row>("without-second-factor", statement, [tenantId, after, limit + 1]);
  const page = cutPage(rows, limit, ({ loginKey }) => [loginKey]);
  const items = page.items.map(({ id, login, name, grants, lastLoginAt }) => ({
    ...{ id, login, name },
    isAdministrator: isAdministrator(parseGrants(grants)),
    ...(lastLoginAt && { lastLoginAt: lastLoginAt.toISOString() }),
  }));
  return { ...page, items };
}
