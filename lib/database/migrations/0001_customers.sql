CREATE TABLE "consumer_endings" (
	"tenant_id" text collate "C" NOT NULL,
	"seq" integer NOT NULL,
	"subject" text collate "C" NOT NULL,
	"effect" text NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"kept_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "consumer_endings_pk" PRIMARY KEY("tenant_id","seq","subject")
);
--> statement-breakpoint
CREATE TABLE "customer_activity" (
	"tenant_id" text collate "C" NOT NULL,
	"activity_id" text collate "C" NOT NULL,
	"customer_id" text collate "C" NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"action" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"fields" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	CONSTRAINT "customer_activity_pk" PRIMARY KEY("tenant_id","activity_id")
);
--> statement-breakpoint
CREATE TABLE "customer_emails" (
	"tenant_id" text collate "C" NOT NULL,
	"email_key" text collate "C" NOT NULL,
	"customer_id" text collate "C" NOT NULL,
	CONSTRAINT "customer_emails_pk" PRIMARY KEY("tenant_id","email_key","customer_id")
);
--> statement-breakpoint
CREATE TABLE "customer_families" (
	"tenant_id" text collate "C" NOT NULL,
	"family_ref" text collate "C" NOT NULL,
	"customer_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"anonymous_id" text NOT NULL,
	"generation" integer NOT NULL,
	"nonce" "bytea" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"rotations" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone NOT NULL,
	"idle_expires_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	CONSTRAINT "customer_families_pk" PRIMARY KEY("tenant_id","family_ref")
);
--> statement-breakpoint
CREATE TABLE "customer_password_tokens" (
	"tenant_id" text collate "C" NOT NULL,
	"customer_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_password_tokens_pk" PRIMARY KEY("tenant_id","customer_id")
);
--> statement-breakpoint
CREATE TABLE "customer_sites" (
	"tenant_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"customer_id" text collate "C" NOT NULL,
	CONSTRAINT "customer_sites_pk" PRIMARY KEY("tenant_id","site_id","customer_id")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"tenant_id" text collate "C" NOT NULL,
	"customer_id" text collate "C" NOT NULL,
	"login" text NOT NULL,
	"login_key" text collate "C" NOT NULL,
	"password_hash" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"locked_at" timestamp (3) with time zone,
	"lock_reason" text,
	"locked_until" timestamp (3) with time zone,
	"last_login_at" timestamp (3) with time zone,
	"revision" integer NOT NULL,
	"details" jsonb NOT NULL,
	CONSTRAINT "customers_pk" PRIMARY KEY("tenant_id","customer_id")
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"number" integer NOT NULL,
	"kid" text NOT NULL,
	"public_key" jsonb NOT NULL,
	"private_key" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"active_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "signing_keys_pk" PRIMARY KEY("number")
);
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "allowed_origins" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "endings_seq" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "consumer_endings" ADD CONSTRAINT "consumer_endings_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_activity" ADD CONSTRAINT "customer_activity_customer_fk" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_emails" ADD CONSTRAINT "customer_emails_customer_fk" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_families" ADD CONSTRAINT "customer_families_customer_fk" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_password_tokens" ADD CONSTRAINT "customer_password_tokens_customer_fk" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_sites" ADD CONSTRAINT "customer_sites_customer_fk" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_sites" ADD CONSTRAINT "customer_sites_site_fk" FOREIGN KEY ("tenant_id","site_id") REFERENCES "public"."sites"("tenant_id","site_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consumer_endings_kept_index" ON "consumer_endings" USING btree ("tenant_id","kept_until");--> statement-breakpoint
CREATE INDEX "customer_activity_customer_index" ON "customer_activity" USING btree ("tenant_id","customer_id","activity_id");--> statement-breakpoint
CREATE INDEX "customer_emails_customer_index" ON "customer_emails" USING btree ("tenant_id","customer_id");--> statement-breakpoint
CREATE INDEX "customer_families_customer_index" ON "customer_families" USING btree ("tenant_id","customer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_password_tokens_hash_unique" ON "customer_password_tokens" USING btree ("tenant_id","token_hash");--> statement-breakpoint
CREATE INDEX "customer_sites_customer_index" ON "customer_sites" USING btree ("tenant_id","customer_id","site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_login_key_unique" ON "customers" USING btree ("tenant_id","login_key");