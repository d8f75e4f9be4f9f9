CREATE TABLE "identities" (
	"tenant_id" text collate "C" NOT NULL,
	"identity_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"issuer" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "identities_pk" PRIMARY KEY("tenant_id","identity_id")
);
--> statement-breakpoint
CREATE TABLE "used_nonces" (
	"tenant_id" text collate "C" NOT NULL,
	"nonce_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "used_nonces_pk" PRIMARY KEY("tenant_id","nonce_hash")
);
--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_connection_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject_unique" ON "identities" USING btree ("tenant_id","connection_id","issuer","subject");--> statement-breakpoint
CREATE INDEX "identities_user_index" ON "identities" USING btree ("tenant_id","user_id");