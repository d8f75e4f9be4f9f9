CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_actor_index" ON "audit_events" USING btree ("tenant_id",(actor->>'id'),"seq");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_target_index" ON "audit_events" USING btree ("tenant_id",(target->>'id'),"seq");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "metric_series_seen_index" ON "metric_series" USING btree ("tenant_id","seen_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_notices_index" ON "audit_events" USING btree ("tenant_id",(target->>'id'),"seq") WHERE action in ('user.password-changed', 'user.password-reset', 'user.password-reset-confirmed', 'user.password-link-made', 'user.updated', 'user.roles-changed', 'user.locked', 'user.unlocked', 'user.deactivated', 'user.reactivated', 'user.sessions-ended', 'api-key.created', 'api-key.updated', 'api-key.rotated', 'api-key.handed-over', 'api-key.resumed', 'api-key.revoked', 'api-key.suspended', 'api-key.leak-reported');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_sign_ins_index" ON "audit_events" USING btree ("tenant_id",(actor->>'id'),"seq") WHERE action = 'session.created';