CREATE TABLE "tenant_quotas" (
	"tenant_id" text collate "C" NOT NULL,
	"quota" text collate "C" NOT NULL,
	"most" bigint,
	"used" bigint,
	"counted_at" timestamp (3) with time zone,
	CONSTRAINT "tenant_quotas_pk" PRIMARY KEY("tenant_id","quota")
);
--> statement-breakpoint
ALTER TABLE "metric_series" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT '2026-11-22T00:00:00Z' NOT NULL;