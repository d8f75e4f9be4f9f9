CREATE TABLE "preview_releases" (
	"tenant_id" text collate "C" NOT NULL,
	"release_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"entries" jsonb NOT NULL,
	"publish_at" timestamp (3) with time zone,
	"problems" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"scheduler_user_id" text collate "C",
	"scheduler_key_id" text collate "C",
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "preview_releases_pk" PRIMARY KEY("tenant_id","release_id")
);
--> statement-breakpoint
ALTER TABLE "preview_releases" ADD CONSTRAINT "preview_releases_site_fk" FOREIGN KEY ("tenant_id","site_id") REFERENCES "public"."sites"("tenant_id","site_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "preview_releases_due_index" ON "preview_releases" USING btree ("tenant_id","publish_at") WHERE state = 'scheduled';