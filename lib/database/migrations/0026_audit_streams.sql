CREATE TABLE "audit_streams" (
	"tenant_id" text collate "C" NOT NULL,
	"stream_id" text collate "C" NOT NULL,
	"settings" jsonb NOT NULL,
	"description" text NOT NULL,
	"secrets" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"audit_seq" bigint NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"gap" jsonb,
	"log" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"lease_holder" text,
	"lease_beat" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "audit_streams_pk" PRIMARY KEY("tenant_id","stream_id")
);
--> statement-breakpoint
ALTER TABLE "audit_streams" ADD CONSTRAINT "audit_streams_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;