CREATE INDEX CONCURRENTLY IF NOT EXISTS "customer_activity_events_index" ON "customer_activity" USING btree ("tenant_id","audit_seq","event_seq") WHERE event_seq is not null;
