import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/** Times the whole store remembers: when a clock was last trusted, and when a round of periodic work last began. One row for each name. */
export const storeClock = pgTable(
  "store_clock",
  {
    name: text("name").notNull(),
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ name: "store_clock_pk", columns: [table.name] })],
);
