CREATE TABLE "audit_checkpoints" (
	"tenant_id" text collate "C" NOT NULL,
	"seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"signature" "bytea" NOT NULL,
	CONSTRAINT "audit_checkpoints_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
CREATE TABLE "refused_requests" (
	"tenant_id" text collate "C" NOT NULL,
	"refusal_id" text collate "C" NOT NULL,
	"request_id" text collate "C" NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"template" text,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"code" text collate "C" NOT NULL,
	"reason" text,
	"site_id" text,
	"credential_kind" text,
	"credential_id" text collate "C",
	"user_id" text collate "C",
	"address" text NOT NULL,
	"agent" text NOT NULL,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "refused_requests_pk" PRIMARY KEY("tenant_id","refusal_id")
);
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "locales" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ADD CONSTRAINT "audit_checkpoints_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_requests" ADD CONSTRAINT "refused_requests_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refused_requests_request_index" ON "refused_requests" USING btree ("tenant_id","request_id");--> statement-breakpoint
CREATE INDEX "refused_requests_occurred_index" ON "refused_requests" USING btree ("tenant_id","occurred_at");--> statement-breakpoint
CREATE INDEX "audit_events_occurred_index" ON "audit_events" USING btree ("tenant_id","occurred_at");