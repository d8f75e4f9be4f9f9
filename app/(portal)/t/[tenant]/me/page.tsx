import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { callableBy, roleNames } from "@/app/(portal)/portal-view";
import { Seed } from "@/components/shell/seed";
import { OwnDetails } from "@/components/users/own-details";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { weekOfKeys } from "@/lib/features/metrics/usage-summary";
import { listSessions } from "@/lib/features/sessions/service";
import { getOwnProfile } from "@/lib/features/users/service";

export const metadata: Metadata = { title: "Your details" };

export default async function OwnDetailsPage({ params }: PageProps<"/t/[tenant]/me">) {
  const { tenant } = await params;
  return portalPage({ tenant, path: `/t/${tenant}/me` }, async (caller) => {
    const whole = { limit: 200 };
    const [keys, sessions, profile] = await Promise.all([
      listApiKeys(caller, whole),
      listSessions(caller, whole),
      getOwnProfile(caller),
    ]);
    return (
      <Seed queryKey={[tenant, "api-keys"]} data={keys.items}>
        <Seed queryKey={[tenant, "sessions"]} data={sessions.items}>
          <Seed queryKey={[tenant, "api-key-weeks"]} data={await weekOfKeys(caller, keys.items)}>
            <OwnDetails user={profile} roleNames={roleNames()} callable={callableBy(caller)} />
          </Seed>
        </Seed>
      </Seed>
    );
  });
}
