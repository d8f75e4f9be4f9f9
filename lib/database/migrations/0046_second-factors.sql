CREATE TABLE "recovery_codes" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"hash_key" "bytea" NOT NULL,
	"code_hashes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_codes_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"factor_id" text collate "C" NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"last_step" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "second_factors_pk" PRIMARY KEY("tenant_id","user_id","factor_id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"tenant_id" text collate "C" NOT NULL,
	"challenge_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"home_tenant_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"network" text NOT NULL,
	"credential_epoch" integer NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_challenges_pk" PRIMARY KEY("tenant_id","challenge_id")
);
--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_challenges_hash_unique" ON "sign_in_challenges" USING btree ("tenant_id","token_hash");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_user_index" ON "sign_in_challenges" USING btree ("tenant_id","user_id");