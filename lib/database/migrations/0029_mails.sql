CREATE TABLE "mails" (
	"tenant_id" text collate "C" NOT NULL,
	"mail_id" text NOT NULL,
	"kind" text NOT NULL,
	"audit_id" text collate "C",
	"login" "bytea",
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"user_id" text collate "C",
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "mails_pk" PRIMARY KEY("tenant_id","mail_id")
);
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due_index" ON "mails" USING btree ("tenant_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "mails_user_index" ON "mails" USING btree ("tenant_id","user_id","sent_at");