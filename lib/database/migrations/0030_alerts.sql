CREATE TABLE "alert_entries" (
	"tenant_id" text collate "C" NOT NULL,
	"alert_id" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"reading" jsonb,
	"threshold" double precision,
	"reason" text,
	"user_id" text collate "C",
	"until" timestamp (3) with time zone,
	CONSTRAINT "alert_entries_pk" PRIMARY KEY("tenant_id","alert_id","number")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"tenant_id" text collate "C" NOT NULL,
	"alert_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"measure" text NOT NULL,
	"filter" jsonb NOT NULL,
	"site_id" text collate "C",
	"threshold" double precision NOT NULL,
	"window_minutes" integer NOT NULL,
	"minimum_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"checked_to" timestamp (3) with time zone,
	"reading" jsonb,
	"is_announced" boolean DEFAULT false NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" text collate "C",
	"muted_until" timestamp (3) with time zone,
	"entries" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alerts_pk" PRIMARY KEY("tenant_id","alert_id")
);
--> statement-breakpoint
ALTER TABLE "alert_entries" ADD CONSTRAINT "alert_entries_alert_fk" FOREIGN KEY ("tenant_id","alert_id") REFERENCES "public"."alerts"("tenant_id","alert_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;