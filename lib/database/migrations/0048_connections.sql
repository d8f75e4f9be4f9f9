CREATE TABLE "connections" (
	"tenant_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"issuer" text collate "C" NOT NULL,
	"client_id" text NOT NULL,
	"client_secret" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"login_claim" text NOT NULL,
	"email_claim" text NOT NULL,
	"name_claim" text NOT NULL,
	"domains" text[] NOT NULL,
	"provisioning" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connections_pk" PRIMARY KEY("tenant_id","connection_id")
);
--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;