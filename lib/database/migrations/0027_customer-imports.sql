CREATE TABLE "customer_import_chunks" (
	"tenant_id" text collate "C" NOT NULL,
	"import_id" text collate "C" NOT NULL,
	"first_line" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "customer_import_chunks_pk" PRIMARY KEY("tenant_id","import_id","first_line")
);
--> statement-breakpoint
CREATE TABLE "customer_import_results" (
	"tenant_id" text collate "C" NOT NULL,
	"import_id" text collate "C" NOT NULL,
	"first_line" integer NOT NULL,
	"last_line" integer NOT NULL,
	"created" jsonb NOT NULL,
	"failures" jsonb NOT NULL,
	CONSTRAINT "customer_import_results_pk" PRIMARY KEY("tenant_id","import_id","first_line")
);
--> statement-breakpoint
CREATE TABLE "customer_imports" (
	"tenant_id" text collate "C" NOT NULL,
	"import_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"site_ids" jsonb NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"key_id" text collate "C",
	"state" text NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"lease_holder" text,
	"lease_beat" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "customer_imports_pk" PRIMARY KEY("tenant_id","import_id")
);
--> statement-breakpoint
ALTER TABLE "customer_import_chunks" ADD CONSTRAINT "customer_import_chunks_import_fk" FOREIGN KEY ("tenant_id","import_id") REFERENCES "public"."customer_imports"("tenant_id","import_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_import_results" ADD CONSTRAINT "customer_import_results_import_fk" FOREIGN KEY ("tenant_id","import_id") REFERENCES "public"."customer_imports"("tenant_id","import_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "customer_imports_open_unique" ON "customer_imports" USING btree ("tenant_id") WHERE ended_at is null;