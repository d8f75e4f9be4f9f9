CREATE TABLE "api_keys" (
	"tenant_id" text collate "C" NOT NULL,
	"api_key_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"name_key" text collate "C" NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"valid_to" timestamp (3) with time zone NOT NULL,
	"suspended_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_ip" text,
	"last_used_operation" text,
	CONSTRAINT "api_keys_pk" PRIMARY KEY("tenant_id","api_key_id")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"tenant_id" text collate "C" NOT NULL,
	"seq" bigint NOT NULL,
	"audit_id" text collate "C" NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"actor" jsonb NOT NULL,
	"action" text collate "C" NOT NULL,
	"target" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"result" text NOT NULL,
	"address" text,
	"agent" text,
	"salt" "bytea" NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"agent_hash" "bytea" NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_events_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
CREATE TABLE "idempotent_answers" (
	"tenant_id" text collate "C" NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"location" text,
	"body" text,
	"secret_id" text,
	CONSTRAINT "idempotent_answers_pk" PRIMARY KEY("tenant_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "role_assignments" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"role_id" text collate "C" NOT NULL,
	CONSTRAINT "role_assignments_pk" PRIMARY KEY("tenant_id","user_id","site_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"tenant_id" text collate "C" NOT NULL,
	"session_ref" text collate "C" NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"idle_seconds" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	CONSTRAINT "sessions_pk" PRIMARY KEY("tenant_id","session_ref")
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"tenant_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sites_pk" PRIMARY KEY("tenant_id","site_id")
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"tenant_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"policy" jsonb NOT NULL,
	"audit_seq" bigint NOT NULL,
	"audit_head" "bytea" NOT NULL,
	"access_version" bigint NOT NULL,
	CONSTRAINT "tenants_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"home_tenant_id" text collate "C" NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"login" text collate "C" NOT NULL,
	"login_key" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"email_address" text collate "C" NOT NULL,
	"search_text" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"is_locked" boolean NOT NULL,
	"lock_reason" text,
	"locked_until" timestamp (3) with time zone,
	"is_system" boolean NOT NULL,
	"password_hash" text,
	"must_change_password" boolean NOT NULL,
	"password_expires_at" timestamp (3) with time zone,
	"last_login_at" timestamp (3) with time zone,
	"preferences" jsonb NOT NULL,
	CONSTRAINT "users_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_assignments" ADD CONSTRAINT "role_assignments_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_secret_hash_unique" ON "api_keys" USING btree ("tenant_id","secret_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_name_unique" ON "api_keys" USING btree ("tenant_id","user_id","name_key") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_created_index" ON "api_keys" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_id_unique" ON "audit_events" USING btree ("tenant_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_events_action_index" ON "audit_events" USING btree ("tenant_id","action","seq");--> statement-breakpoint
CREATE INDEX "idempotent_answers_created_index" ON "idempotent_answers" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "role_assignments_role_index" ON "role_assignments" USING btree ("tenant_id","role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_secret_hash_unique" ON "sessions" USING btree ("tenant_id","secret_hash");--> statement-breakpoint
CREATE INDEX "sessions_user_index" ON "sessions" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_login_key_unique" ON "users" USING btree ("tenant_id","login_key");--> statement-breakpoint
CREATE INDEX "users_login_index" ON "users" USING btree ("tenant_id","login");