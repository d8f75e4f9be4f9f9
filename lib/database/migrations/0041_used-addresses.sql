ALTER TABLE "users" ADD COLUMN "used_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "confirmed_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "asked_email" text;