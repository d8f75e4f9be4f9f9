CREATE TABLE "mailed_links" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"void_cause" text,
	CONSTRAINT "mailed_links_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "mailed_links" ADD CONSTRAINT "mailed_links_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mailed_links_hash_unique" ON "mailed_links" USING btree ("tenant_id","token_hash");