CREATE TABLE "webhook_deliveries" (
	"tenant_id" text collate "C" NOT NULL,
	"webhook_id" text collate "C" NOT NULL,
	"event_id" text collate "C" NOT NULL,
	"audit_seq" bigint NOT NULL,
	"event_seq" bigint NOT NULL,
	"type" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempts" integer NOT NULL,
	"log" jsonb NOT NULL,
	CONSTRAINT "webhook_deliveries_pk" PRIMARY KEY("tenant_id","webhook_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"tenant_id" text collate "C" NOT NULL,
	"webhook_id" text collate "C" NOT NULL,
	"url" text NOT NULL,
	"types" jsonb NOT NULL,
	"site_id" text,
	"description" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_valid_to" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"audit_seq" bigint NOT NULL,
	"event_seq" bigint NOT NULL,
	"due_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"lease_holder" text,
	"lease_beat" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "webhooks_pk" PRIMARY KEY("tenant_id","webhook_id")
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_fk" FOREIGN KEY ("tenant_id","webhook_id") REFERENCES "public"."webhooks"("tenant_id","webhook_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_index" ON "webhook_deliveries" USING btree ("tenant_id","webhook_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending_index" ON "webhook_deliveries" USING btree ("tenant_id","webhook_id","subject") WHERE state = 'pending';