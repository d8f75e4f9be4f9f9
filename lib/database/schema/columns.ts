import { customType } from "drizzle-orm/pg-core";

/** Text that sorts by code point whatever the server's locale is. */
export const codePointText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate "C"',
});

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** An instant with the milliseconds that the contract shows, so that what is stored is what is answered. */
export const instant = customType<{ data: Date; driverData: string | Date }>({
  dataType: () => "timestamp (3) with time zone",
  toDriver: (value) => value.toISOString(),
  fromDriver: (value) => new Date(value),
});
