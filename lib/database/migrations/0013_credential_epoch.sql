ALTER TABLE "api_keys" ADD COLUMN "awaits_rotation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "issued_by" text;--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "issuer_tenant_id" text collate "C";--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "issuer_user_id" text collate "C";--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "issuer_key_id" text collate "C";--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "issuer_site_id" text collate "C";--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "void_cause" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "credential_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "parent_tenant_id" text collate "C";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "parent_ref" text collate "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "credential_epoch" integer DEFAULT 0 NOT NULL;