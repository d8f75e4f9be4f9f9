CREATE TABLE "preview_configurations" (
	"tenant_id" text collate "C" NOT NULL,
	"preview_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"preview_key" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"title" text,
	"is_enabled" boolean,
	"stage" text,
	"problems" jsonb NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "preview_configurations_pk" PRIMARY KEY("tenant_id","preview_id")
);
--> statement-breakpoint
CREATE TABLE "preview_revisions" (
	"tenant_id" text collate "C" NOT NULL,
	"preview_id" text collate "C" NOT NULL,
	"n" integer NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"login" text collate "C" NOT NULL,
	"via" text NOT NULL,
	"hash" text collate "C" NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "preview_revisions_pk" PRIMARY KEY("tenant_id","preview_id","n")
);
--> statement-breakpoint
ALTER TABLE "preview_configurations" ADD CONSTRAINT "preview_configurations_site_fk" FOREIGN KEY ("tenant_id","site_id") REFERENCES "public"."sites"("tenant_id","site_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_revisions" ADD CONSTRAINT "preview_revisions_preview_fk" FOREIGN KEY ("tenant_id","preview_id") REFERENCES "public"."preview_configurations"("tenant_id","preview_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "preview_configurations_key_unique" ON "preview_configurations" USING btree ("tenant_id","site_id","preview_key") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "preview_configurations_site_index" ON "preview_configurations" USING btree ("tenant_id","site_id","preview_id");