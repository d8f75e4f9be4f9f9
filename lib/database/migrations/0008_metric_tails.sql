CREATE TABLE "metric_tails" (
	"tenant_id" text collate "C" NOT NULL,
	"source" text collate "C" NOT NULL,
	"seq" bigint NOT NULL,
	"landed_at" timestamp (3) with time zone NOT NULL,
	"entries" integer NOT NULL,
	"first_minute" integer NOT NULL,
	"last_minute" integer NOT NULL,
	"series_ids" bigint[] NOT NULL,
	"minutes" integer[] NOT NULL,
	"buckets" smallint[] NOT NULL,
	"calls" bigint[] NOT NULL,
	CONSTRAINT "metric_tails_pk" PRIMARY KEY("tenant_id","source","seq")
);
--> statement-breakpoint
DROP INDEX "metric_series_shape_index";--> statement-breakpoint
ALTER TABLE "metric_series" DROP CONSTRAINT "metric_series_pk";
--> statement-breakpoint
ALTER TABLE "metric_series" ADD CONSTRAINT "metric_series_pk" PRIMARY KEY("tenant_id","shape","series_id");--> statement-breakpoint
ALTER TABLE "metric_tails" ALTER COLUMN "series_ids" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "metric_tails" ALTER COLUMN "minutes" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "metric_tails" ALTER COLUMN "buckets" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "metric_tails" ALTER COLUMN "calls" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE FUNCTION metric_slots(slots integer[], calls bigint[], size integer) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE found bigint[] := array_fill(0::bigint, array[size]);
BEGIN
  FOR i IN 1..coalesce(cardinality(slots), 0) LOOP
    found[slots[i] + 1] := found[slots[i] + 1] + calls[i];
  END LOOP;
  RETURN found;
END $$;
