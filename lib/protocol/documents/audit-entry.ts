import { z } from "zod";

export const AuditActor = z.object({
  type: z.enum(["user", "service", "system", "customer"]),
  id: z.string(),
  login: z.string().optional(),
  keyId: z.string().optional(),
});

export const AuditTarget = z.object({
  type: z.string(),
  id: z.string(),
  name: z.string().optional(),
});

const Change = z.object({ before: z.unknown().optional(), after: z.unknown().optional() });
export const AuditChanges = z.record(z.string(), Change);

export type AuditActor = z.infer<typeof AuditActor>;
export type AuditTarget = z.infer<typeof AuditTarget>;
export type AuditChanges = z.infer<typeof AuditChanges>;

/** A salted hash of a personal value of an entry; the salt is deleted when the value is erased. */
interface PersonalProof {
  hash: string;
  salt?: string | undefined;
}

/** The proofs of an entry by the path of the value, such as "actor.login". */
export type Personal = Record<string, PersonalProof>;
