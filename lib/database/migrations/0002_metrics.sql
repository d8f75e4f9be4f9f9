CREATE FUNCTION metric_add(a integer[], b integer[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  FOR i IN 1..cardinality(b) LOOP
    IF b[i] <> 0 THEN a[i] := a[i] + b[i]; END IF;
  END LOOP;
  RETURN a;
END $$;--> statement-breakpoint
CREATE FUNCTION metric_add(a bigint[], b bigint[]) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  FOR i IN 1..cardinality(b) LOOP
    IF b[i] <> 0 THEN a[i] := a[i] + b[i]; END IF;
  END LOOP;
  RETURN a;
END $$;--> statement-breakpoint
CREATE FUNCTION metric_fold(a bigint[], b bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(folded.calls * 65536 + folded.code ORDER BY folded.code)
  FROM (SELECT entry & 65535 AS code, sum(entry >> 16)::bigint AS calls FROM unnest(a || b) AS entries (entry) GROUP BY 1) AS folded
$$;--> statement-breakpoint
CREATE TABLE "metric_batches" (
	"tenant_id" text collate "C" NOT NULL,
	"source" text collate "C" NOT NULL,
	"seq" bigint NOT NULL,
	"digest" "bytea",
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metric_batches_pk" PRIMARY KEY("tenant_id","source")
);
--> statement-breakpoint
CREATE TABLE "metric_days" (
	"tenant_id" text collate "C" NOT NULL,
	"shape" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"series_id" bigint NOT NULL,
	"counts" integer[] NOT NULL,
	"wide" bigint[],
	"latency" bigint[],
	CONSTRAINT "metric_days_pk" PRIMARY KEY("tenant_id","shape","at","series_id")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "metric_minutes" (
	"tenant_id" text collate "C" NOT NULL,
	"shape" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"series_id" bigint NOT NULL,
	"counts" integer[] NOT NULL,
	"wide" bigint[],
	"latency" bigint[],
	CONSTRAINT "metric_minutes_pk" PRIMARY KEY("tenant_id","shape","at","series_id")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "metric_quarters" (
	"tenant_id" text collate "C" NOT NULL,
	"shape" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"series_id" bigint NOT NULL,
	"counts" integer[] NOT NULL,
	"wide" bigint[],
	"latency" bigint[],
	CONSTRAINT "metric_quarters_pk" PRIMARY KEY("tenant_id","shape","at","series_id")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "metric_quarters_cube" (
	"tenant_id" text collate "C" NOT NULL,
	"shape" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"series_id" bigint NOT NULL,
	"counts" integer[] NOT NULL,
	"wide" bigint[],
	"latency" bigint[],
	CONSTRAINT "metric_quarters_cube_pk" PRIMARY KEY("tenant_id","shape","at","series_id")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "metric_series" (
	"tenant_id" text collate "C" NOT NULL,
	"series_id" bigint NOT NULL,
	"shape" smallint NOT NULL,
	"domain" text collate "C" NOT NULL,
	"site" text collate "C" NOT NULL,
	"endpoint" text collate "C" NOT NULL,
	"method" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"api_key" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"credential_kind" text collate "C" NOT NULL,
	CONSTRAINT "metric_series_pk" PRIMARY KEY("tenant_id","series_id")
);
--> statement-breakpoint
ALTER TABLE "metric_days" ALTER COLUMN "counts" SET STORAGE PLAIN;--> statement-breakpoint
ALTER TABLE "metric_minutes" ALTER COLUMN "counts" SET STORAGE PLAIN;--> statement-breakpoint
ALTER TABLE "metric_quarters" ALTER COLUMN "counts" SET STORAGE PLAIN;--> statement-breakpoint
ALTER TABLE "metric_quarters_cube" ALTER COLUMN "counts" SET STORAGE PLAIN;--> statement-breakpoint
CREATE INDEX "metric_batches_received_index" ON "metric_batches" USING btree ("tenant_id","received_at") WHERE digest is not null;--> statement-breakpoint
CREATE INDEX "metric_series_shape_index" ON "metric_series" USING btree ("tenant_id","shape");