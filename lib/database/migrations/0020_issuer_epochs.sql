ALTER TABLE "customer_password_tokens" ADD COLUMN "issuer_epoch" integer;--> statement-breakpoint
ALTER TABLE "password_links" ADD COLUMN "issuer_epoch" integer;