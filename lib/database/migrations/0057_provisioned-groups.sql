CREATE TABLE "provisioned_group_members" (
	"tenant_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"group_id" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	CONSTRAINT "provisioned_group_members_pk" PRIMARY KEY("tenant_id","connection_id","group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "provisioned_groups" (
	"tenant_id" text collate "C" NOT NULL,
	"connection_id" text collate "C" NOT NULL,
	"group_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"name_key" text collate "C" NOT NULL,
	"external_id" text collate "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provisioned_groups_pk" PRIMARY KEY("tenant_id","connection_id","group_id")
);
--> statement-breakpoint
ALTER TABLE "provisioned_group_members" ADD CONSTRAINT "provisioned_group_members_group_fk" FOREIGN KEY ("tenant_id","connection_id","group_id") REFERENCES "public"."provisioned_groups"("tenant_id","connection_id","group_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioned_group_members" ADD CONSTRAINT "provisioned_group_members_user_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioned_groups" ADD CONSTRAINT "provisioned_groups_connection_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provisioned_group_members_user_index" ON "provisioned_group_members" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provisioned_groups_name_unique" ON "provisioned_groups" USING btree ("tenant_id","connection_id","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "provisioned_groups_external_unique" ON "provisioned_groups" USING btree ("tenant_id","connection_id","external_id");