"use client";

import { agentName } from "@/components/sessions/agent-name";
import { type Message, msg, t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { CustomerDetail } from "@/lib/features/customers/staff-contract";

const actionWords: Record<string, Message> = {
  registered: msg("Registered"),
  imported: msg("Imported"),
  "signed-in": msg("Signed in"),
  "signed-out": msg("Signed out"),
  "login-failed": msg("Failed to sign in"),
  "profile-changed": msg("Changed the profile"),
  "password-changed": msg("Changed the password"),
  "password-reset": msg("Set a new password with a token"),
  "refresh-token-reused": msg("A refresh token was used twice, and its sign-in was ended"),
};

function actionText(action: string): string {
  const known = actionWords[action];
  return known ? t(known) : action;
}

const nothing = (words: string) => <p className="p-4 text-body text-muted">{words}</p>;

/** The sessions of the customer. */
export function SignInsCard({ sessions }: { sessions: CustomerDetail["sessions"] }) {
  return (
    <Card
      id="sign-ins"
      flush
      title={t("Sign-ins")}
      description={t("Devices that can refresh their tokens.")}
    >
      {sessions.length === 0 ? (
        nothing(t("Not signed in anywhere."))
      ) : (
        <DataTable
          label={t("Signed-in devices")}
          className="[--row:36px]"
          name="customer-devices"
          heads={[
            t("Device"),
            t("Site"),
            t("Address"),
            t("Signed in"),
            t("Last refreshed"),
            t("Expires if unused"),
          ]}
        >
          <tbody>
            {sessions.map((session) => (
              <Row key={session.ref}>
                <Cell className="font-medium">{agentName(session.agent)}</Cell>
                <Cell className="text-muted">{session.siteId}</Cell>
                <Cell className="text-muted">{session.address}</Cell>
                <Cell className="text-muted" label={t("Signed in")}>
                  <Instant at={session.createdAt} />
                </Cell>
                <Cell className="text-muted" label={t("Last refreshed")}>
                  <Instant at={session.lastSeenAt} />
                </Cell>
                <Cell className="text-muted" label={t("Expires if unused")}>
                  <Instant at={session.expiresAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </DataTable>
      )}
    </Card>
  );
}

/** The customer's latest activity. */
export function ActivityCard({ activity }: { activity: CustomerDetail["activity"] }) {
  return (
    <Card
      id="activity"
      flush
      title={t("Activity")}
      description={t("The latest 20 entries. Changes list field names, never values.")}
    >
      {activity.length === 0 ? (
        nothing(t("Nothing yet."))
      ) : (
        <DataTable
          label={t("Customer activity")}
          className="[--row:36px]"
          name="customer-activity"
          heads={[t("What"), t("When"), t("Site"), t("From")]}
        >
          <tbody>
            {activity.map(({ occurredAt, action, fields, siteId, address, agent }) => (
              <Row key={`${occurredAt} ${action}`}>
                <Cell>
                  {actionText(action)}
                  {fields.length > 0 ? (
                    <span className="text-muted"> ({fields.join(", ")})</span>
                  ) : null}
                </Cell>
                <Cell className="text-muted">
                  <Instant at={occurredAt} />
                </Cell>
                <Cell className="text-muted">{siteId}</Cell>
                <Cell className="text-muted">
                  {address}, {agentName(agent)}
                </Cell>
              </Row>
            ))}
          </tbody>
        </DataTable>
      )}
    </Card>
  );
}
