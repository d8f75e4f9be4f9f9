CREATE TABLE "email_confirmations" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "email_confirmations_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "email_confirmations" ADD CONSTRAINT "email_confirmations_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_confirmations_hash_unique" ON "email_confirmations" USING btree ("tenant_id","token_hash");