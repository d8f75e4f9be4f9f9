import { answered } from "@/app/(portal)/first-page";
import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { userTitle } from "@/app/(portal)/t/[tenant]/users/[id]/user-title";
import { auditKeys } from "@/components/audit/query-keys";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { UserActivity } from "@/components/users/activity-list";
import * as contract from "@/lib/features/audit/contract";
import { listAuditEvents } from "@/lib/features/audit/list";

export const generateMetadata = userTitle(msg("Activity"));

export default async function ActivityPage(props: PageProps<"/t/[tenant]/users/[id]/activity">) {
  return userPage("activity", props, async ({ caller, tenant, user: { id, name } }) => {
    const [by, to] = await Promise.all(
      [{ actor: id }, { target: id }].map(async (filter) => {
        const { items } = await listAuditEvents(caller, { ...filter, limit: 25 });
        return { filter, events: answered(contract.listAuditEvents, items) };
      }),
    );
    return (
      <Seed queryKey={auditKeys.ofUser(tenant, by?.filter ?? {})} data={by?.events}>
        <Seed queryKey={auditKeys.ofUser(tenant, to?.filter ?? {})} data={to?.events}>
          <UserActivity userId={id} name={name} />
        </Seed>
      </Seed>
    );
  });
}
