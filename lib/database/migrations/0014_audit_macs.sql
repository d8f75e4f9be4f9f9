CREATE TABLE "audit_heads" (
	"tenant_id" text collate "C" NOT NULL,
	"seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"mac" "bytea",
	"signed_at" timestamp (3) with time zone NOT NULL,
	"kid" text NOT NULL,
	"signature" "bytea" NOT NULL,
	CONSTRAINT "audit_heads_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
CREATE TABLE "store_clock" (
	"name" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "store_clock_pk" PRIMARY KEY("name")
);
--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ADD COLUMN "mac" "bytea";--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ADD COLUMN "kid" text;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "personal" jsonb;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "mac" "bytea";--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "audit_mac" "bytea";--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "audit_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "audit_signed_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_heads_signed_index" ON "audit_heads" USING btree ("tenant_id","signed_at");