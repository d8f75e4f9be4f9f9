CREATE TABLE "preview_comments" (
	"tenant_id" text collate "C" NOT NULL,
	"comment_id" text collate "C" NOT NULL,
	"preview_id" text collate "C" NOT NULL,
	"pointer" text,
	"text" text NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"user_id" text collate "C",
	"login" text collate "C",
	"share_id" text collate "C",
	CONSTRAINT "preview_comments_pk" PRIMARY KEY("tenant_id","comment_id")
);
--> statement-breakpoint
CREATE TABLE "preview_shares" (
	"tenant_id" text collate "C" NOT NULL,
	"share_id" text collate "C" NOT NULL,
	"preview_id" text collate "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"valid_to" timestamp (3) with time zone NOT NULL,
	"comment" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"key_id" text collate "C",
	"issuer_epoch" integer,
	CONSTRAINT "preview_shares_pk" PRIMARY KEY("tenant_id","share_id")
);
--> statement-breakpoint
ALTER TABLE "preview_comments" ADD CONSTRAINT "preview_comments_preview_fk" FOREIGN KEY ("tenant_id","preview_id") REFERENCES "public"."preview_configurations"("tenant_id","preview_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_shares" ADD CONSTRAINT "preview_shares_preview_fk" FOREIGN KEY ("tenant_id","preview_id") REFERENCES "public"."preview_configurations"("tenant_id","preview_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "preview_comments_preview_index" ON "preview_comments" USING btree ("tenant_id","preview_id","comment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "preview_shares_hash_unique" ON "preview_shares" USING btree ("tenant_id","token_hash");--> statement-breakpoint
CREATE INDEX "preview_shares_preview_index" ON "preview_shares" USING btree ("tenant_id","preview_id","share_id");