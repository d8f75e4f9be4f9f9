ALTER TABLE "api_keys" ADD COLUMN "rate_limit" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_window_seconds" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_window" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_taken" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_addresses" jsonb;