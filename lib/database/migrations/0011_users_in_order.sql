CREATE INDEX "users_name_index" ON "users" USING btree ("tenant_id","name","user_id");--> statement-breakpoint
CREATE INDEX "users_email_index" ON "users" USING btree ("tenant_id","email_address","user_id");--> statement-breakpoint
CREATE INDEX "users_registered_index" ON "users" USING btree ("tenant_id","registered_at","user_id");