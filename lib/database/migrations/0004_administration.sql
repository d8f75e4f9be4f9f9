CREATE TABLE "password_links" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "password_links_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "previous_secret_uses" (
	"tenant_id" text collate "C" NOT NULL,
	"api_key_id" text collate "C" NOT NULL,
	"address" text collate "C" NOT NULL,
	"agent" text collate "C" NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "previous_secret_uses_pk" PRIMARY KEY("tenant_id","api_key_id","address","agent")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_valid_to" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "must_rotate" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "permissions" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "site_ids" jsonb;--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "previous_secret_uses" ADD CONSTRAINT "previous_secret_uses_key_fk" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","api_key_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "password_links_hash_unique" ON "password_links" USING btree ("tenant_id","token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_previous_hash_unique" ON "api_keys" USING btree ("tenant_id","previous_hash");--> statement-breakpoint
CREATE INDEX "api_keys_leaked_hash_index" ON "api_keys" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "api_keys_leaked_previous_index" ON "api_keys" USING btree ("previous_hash");--> statement-breakpoint
CREATE INDEX "api_keys_tenant_created_index" ON "api_keys" USING btree ("tenant_id","created_at","api_key_id");