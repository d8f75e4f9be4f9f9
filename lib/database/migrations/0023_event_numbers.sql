ALTER TABLE "customer_activity" ADD COLUMN "audit_seq" bigint;--> statement-breakpoint
ALTER TABLE "customer_activity" ADD COLUMN "event_seq" bigint;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "event_seq" bigint DEFAULT 0 NOT NULL;
