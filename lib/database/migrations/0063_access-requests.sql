CREATE TABLE "access_requests" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"site_id" text collate "C" NOT NULL,
	"role_id" text collate "C" NOT NULL,
	"request_id" text collate "C" NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "access_requests_pk" PRIMARY KEY("tenant_id","user_id","site_id","role_id")
);
--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "access_requests_id_unique" ON "access_requests" USING btree ("tenant_id","request_id");--> statement-breakpoint
CREATE INDEX "access_requests_state_index" ON "access_requests" USING btree ("tenant_id","state","created_at");