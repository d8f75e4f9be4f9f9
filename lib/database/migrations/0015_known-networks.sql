CREATE TABLE "known_networks" (
	"tenant_id" text collate "C" NOT NULL,
	"login_hash" "bytea" NOT NULL,
	"network_hash" "bytea" NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_networks_pk" PRIMARY KEY("tenant_id","login_hash","network_hash")
);
--> statement-breakpoint
ALTER TABLE "idempotent_answers" ADD COLUMN "attempt" "bytea";--> statement-breakpoint
CREATE INDEX "known_networks_seen_index" ON "known_networks" USING btree ("tenant_id","last_seen_at");