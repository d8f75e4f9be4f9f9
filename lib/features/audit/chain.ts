import { createHash } from "node:crypto";

export interface ChainedFacts {
  seq: number;
  auditId: string;
  occurredAt: Date;
  actor: unknown;
  action: string;
  target: unknown;
  changes: unknown;
  requestId: string;
  result: string;
  addressHash: Buffer;
  agentHash: Buffer;
}

/** JSON with the members of every object in code-unit order: the store does not keep the order they were written in. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** The hash of an entry covers the hash before it: one changed byte breaks every later link. */
export function chainHash(
  previous: Buffer,
  { addressHash, agentHash, occurredAt, ...facts }: ChainedFacts,
): Buffer {
  const text = canonical({
    ...facts,
    occurredAt: occurredAt.toISOString(),
    address: addressHash.toString("hex"),
    agent: agentHash.toString("hex"),
  });
  return createHash("sha256").update(previous).update(text).digest();
}

/** Address and agent are chained salted and hashed, so that the columns beside them can be erased. */
export function saltedHash(salt: Buffer, text: string): Buffer {
  return createHash("sha256").update(salt).update(text).digest();
}

/** The head of a chain without entries. */
export const emptyHead = Buffer.alloc(32);
