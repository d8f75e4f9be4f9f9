CREATE TABLE "key_hand_offs" (
	"tenant_id" text collate "C" NOT NULL,
	"hand_off_id" text collate "C" NOT NULL,
	"api_key_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"sealed" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"user_id" text collate "C" NOT NULL,
	CONSTRAINT "key_hand_offs_pk" PRIMARY KEY("tenant_id","hand_off_id")
);
--> statement-breakpoint
ALTER TABLE "key_hand_offs" ADD CONSTRAINT "key_hand_offs_key_fk" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","api_key_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "key_hand_offs_hash_unique" ON "key_hand_offs" USING btree ("tenant_id","token_hash");--> statement-breakpoint
CREATE INDEX "key_hand_offs_key_index" ON "key_hand_offs" USING btree ("tenant_id","api_key_id");