ALTER TABLE "chart_markers" ADD COLUMN "until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chart_markers" ADD COLUMN "user_id" text collate "C";--> statement-breakpoint
ALTER TABLE "chart_markers" ADD COLUMN "login" text collate "C";