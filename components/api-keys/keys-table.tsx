"use client";

import { lazy, Suspense, useState } from "react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { ApiKey } from "@/lib/api-keys/contract";

const RevokeDialog = lazy(() => import("./revoke-dialog").then((module) => ({ default: module.RevokeDialog })));

const states: Record<ApiKey["status"], { tone: BadgeTone; words: string }> = {
  active: { tone: "success", words: "Active" },
  suspended: { tone: "warning", words: "Suspended" },
  expired: { tone: "neutral", words: "Expired" },
  revoked: { tone: "neutral", words: "Revoked" },
};

export function KeysTable({ keys }: { keys: ApiKey[] }) {
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <Table label="Your API keys" className="[--row:44px]">
        <thead>
          <tr>
            <HeadCell>Name</HeadCell>
            <HeadCell>Key</HeadCell>
            <HeadCell>Status</HeadCell>
            <HeadCell>Expires</HeadCell>
            <HeadCell>Last used</HeadCell>
            <HeadCell>
              <span className="sr-only">Actions</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.apiKeyId} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </tbody>
      </Table>
      <Suspense>{revoking ? <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} /> : null}</Suspense>
    </>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const state = states[apiKey.status];
  return (
    <Row>
      <Cell className="max-w-56 truncate font-medium">{apiKey.name}</Cell>
      <Cell>
        <code className="text-meta text-muted">svk_…{apiKey.hint}</code>
      </Cell>
      <Cell>
        <Badge tone={state.tone} dot>
          {state.words}
        </Badge>
      </Cell>
      <Cell className="text-muted">
        <Instant at={apiKey.validTo} />, <Instant at={apiKey.validTo} form="day" />
      </Cell>
      <Cell className="text-muted">
        {apiKey.lastUsedAt ? (
          <>
            <Instant at={apiKey.lastUsedAt} />
            {apiKey.lastUsedOperation ? <span className="text-faint">, {apiKey.lastUsedOperation.replace(/^\w+ \/v1\//, "")}</span> : null}
          </>
        ) : (
          "never"
        )}
      </Cell>
      <Cell className="text-right">
        {apiKey.status === "revoked" ? null : (
          <Button size="small" tone="quiet" aria-label={`Revoke key ${apiKey.name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </Cell>
    </Row>
  );
}
