CREATE TABLE "code_failures" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"scope" text NOT NULL,
	"failures" integer NOT NULL,
	"failed_at" bigint NOT NULL,
	CONSTRAINT "code_failures_pk" PRIMARY KEY("tenant_id","user_id","scope")
);
--> statement-breakpoint
CREATE TABLE "used_challenges" (
	"tenant_id" text collate "C" NOT NULL,
	"challenge_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "used_challenges_pk" PRIMARY KEY("tenant_id","challenge_hash")
);
--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "credential_id" "bytea";--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "user_handle" "bytea";--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "rp_id" text;--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "transports" text;--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "sign_count" bigint;--> statement-breakpoint
ALTER TABLE "code_failures" ADD CONSTRAINT "code_failures_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "used_challenges" ADD CONSTRAINT "used_challenges_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;