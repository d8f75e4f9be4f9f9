-- contract: a process of the release before leaves signing to those of this one while both run: it logs that a trail was not signed.
ALTER TABLE "audit_heads" DROP CONSTRAINT "audit_heads_pk";
--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_pk" PRIMARY KEY("tenant_id","seq","signed_at");