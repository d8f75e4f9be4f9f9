CREATE TABLE "chart_markers" (
	"tenant_id" text collate "C" NOT NULL,
	"marker_id" text collate "C" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"title" text NOT NULL,
	"kind" text collate "C" NOT NULL,
	"url" text,
	CONSTRAINT "chart_markers_pk" PRIMARY KEY("tenant_id","marker_id")
);
--> statement-breakpoint
ALTER TABLE "chart_markers" ADD CONSTRAINT "chart_markers_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chart_markers_at_index" ON "chart_markers" USING btree ("tenant_id","at","marker_id");