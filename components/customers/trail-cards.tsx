"use client";

import { agentName } from "@/components/sessions/agent-name";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { CustomerDetail } from "@/lib/features/customers/staff-contract";

const actionWords: Record<string, string> = {
  registered: "Registered",
  imported: "Imported",
  "signed-in": "Signed in",
  "signed-out": "Signed out",
  "login-failed": "Failed to sign in",
  "profile-changed": "Changed the profile",
  "password-changed": "Changed the password",
  "password-reset": "Set a new password with a token",
  "refresh-token-reused": "A refresh token was used twice, and its sign-in was ended",
};

function Heads({ names }: { names: string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <HeadCell key={name}>{name}</HeadCell>
        ))}
      </tr>
    </thead>
  );
}

const nothing = (words: string) => <p className="p-4 text-body text-muted">{words}</p>;

/** Where the customer is signed in. */
export function SignInsCard({ sessions }: { sessions: CustomerDetail["sessions"] }) {
  return (
    <Card id="sign-ins" flush title="Sign-ins" description="Devices that can refresh their tokens.">
      {sessions.length === 0 ? (
        nothing("Not signed in anywhere.")
      ) : (
        <DataTable label="Signed-in devices" className="[--row:36px]">
          <Heads
            names={[
              "Device",
              "Site",
              "Address",
              "Signed in",
              "Last refreshed",
              "Expires if unused",
            ]}
          />
          <tbody>
            {sessions.map((session) => (
              <Row key={session.ref}>
                <Cell className="font-medium">{agentName(session.agent)}</Cell>
                <Cell className="text-muted">{session.siteId}</Cell>
                <Cell className="text-muted">{session.address}</Cell>
                <Cell className="text-muted">
                  <Instant at={session.createdAt} />
                </Cell>
                <Cell className="text-muted">
                  <Instant at={session.lastSeenAt} />
                </Cell>
                <Cell className="text-muted">
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

/** What the customer did last. */
export function ActivityCard({ activity }: { activity: CustomerDetail["activity"] }) {
  return (
    <Card
      id="activity"
      flush
      title="Activity"
      description="The latest 20 entries. Changes list field names, never values."
    >
      {activity.length === 0 ? (
        nothing("Nothing yet.")
      ) : (
        <DataTable label="Customer activity" className="[--row:36px]">
          <Heads names={["What", "When", "Site", "From"]} />
          <tbody>
            {activity.map(({ occurredAt, action, fields, siteId, address, agent }) => (
              <Row key={`${occurredAt} ${action}`}>
                <Cell>
                  {actionWords[action] ?? action}
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
