ALTER TABLE "sessions" ADD COLUMN "identity_id" text collate "C";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_sid_hash" "bytea";