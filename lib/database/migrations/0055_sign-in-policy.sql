ALTER TABLE "sessions" ADD COLUMN "connection_id" text collate "C";--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD COLUMN "purpose" text DEFAULT 'code' NOT NULL;