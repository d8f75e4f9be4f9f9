CREATE TABLE "provisioned_users" (
	"tenant_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"is_own" boolean NOT NULL,
	"external_id" text collate "C",
	"given_name" text,
	"family_name" text,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "provisioned_users_pk" PRIMARY KEY("tenant_id","connection_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "provisioning_requests" (
	"tenant_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"entry_id" text collate "C" NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"request_id" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"scim_type" text,
	"detail" text,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "provisioning_requests_pk" PRIMARY KEY("tenant_id","connection_id","entry_id")
);
--> statement-breakpoint
CREATE TABLE "provisioning_tokens" (
	"tenant_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone,
	CONSTRAINT "provisioning_tokens_pk" PRIMARY KEY("tenant_id","connection_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "external_id_claim" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "provisioned_users" ADD CONSTRAINT "provisioned_users_connection_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioned_users" ADD CONSTRAINT "provisioned_users_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioning_requests" ADD CONSTRAINT "provisioning_requests_connection_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioning_tokens" ADD CONSTRAINT "provisioning_tokens_connection_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "provisioned_users_external_unique" ON "provisioned_users" USING btree ("tenant_id","connection_id","external_id");--> statement-breakpoint
CREATE INDEX "provisioned_users_user_index" ON "provisioned_users" USING btree ("tenant_id","user_id");