CREATE TABLE "memberships" (
	"tenant_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"member_tenant_id" text collate "C" NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_pk" PRIMARY KEY("tenant_id","user_id","member_tenant_id")
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;