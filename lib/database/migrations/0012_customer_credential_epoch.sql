ALTER TABLE "customer_password_tokens" ADD COLUMN "issuer_user_id" text collate "C";--> statement-breakpoint
ALTER TABLE "customer_password_tokens" ADD COLUMN "issuer_key_id" text collate "C";--> statement-breakpoint
ALTER TABLE "customer_password_tokens" ADD COLUMN "customer_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "credential_epoch" integer DEFAULT 0 NOT NULL;