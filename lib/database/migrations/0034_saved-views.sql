CREATE TABLE "default_views" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"page" text collate "C" NOT NULL,
	"view_id" text collate "C" NOT NULL,
	CONSTRAINT "default_views_pk" PRIMARY KEY("tenant_id","user_id","page")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"tenant_id" text collate "C" NOT NULL,
	"view_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"page" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_views_pk" PRIMARY KEY("tenant_id","view_id")
);
--> statement-breakpoint
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_view_fk" FOREIGN KEY ("tenant_id","view_id") REFERENCES "public"."saved_views"("tenant_id","view_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "default_views_view_index" ON "default_views" USING btree ("tenant_id","view_id");--> statement-breakpoint
CREATE INDEX "saved_views_page_index" ON "saved_views" USING btree ("tenant_id","page","view_id");--> statement-breakpoint
CREATE INDEX "saved_views_user_index" ON "saved_views" USING btree ("tenant_id","user_id","view_id");