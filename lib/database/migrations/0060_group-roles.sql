ALTER TABLE "connections" ADD COLUMN "groups_claim" text;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "group_roles" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "groups" text[];--> statement-breakpoint
ALTER TABLE "role_assignments" ADD COLUMN "held_by" text DEFAULT 'hand' NOT NULL;