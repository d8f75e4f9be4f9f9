ALTER TABLE "alerts" ADD COLUMN "mail_to" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "alert_id" text collate "C";