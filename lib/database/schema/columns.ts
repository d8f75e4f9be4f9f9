import { type AnyPgColumn, customType, foreignKey } from "drizzle-orm/pg-core";

/** Text that sorts by code point whatever the server's locale is. */
export const codePointText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate "C"',
});

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** An instant with the milliseconds of the contract, so that stored and returned values are the same. */
export const instant = customType<{ data: Date; driverData: string | Date }>({
  dataType: () => "timestamp (3) with time zone",
  toDriver: (value) => value.toISOString(),
  fromDriver: (value) => new Date(value),
});

type Columns<Key extends string> = Readonly<Record<Key, AnyPgColumn>>;

/** A foreign key, whose columns have the same names in both tables: the tenant is the first. */
export function references<Key extends string>(
  name: string,
  from: Columns<NoInfer<Key>>,
  to: Columns<NoInfer<Key>>,
  ...keys: readonly [Key, ...Key[]]
) {
  const columnsOf = (table: Columns<Key>): [AnyPgColumn, ...AnyPgColumn[]] => {
    const [first, ...others] = keys;
    return [table[first], ...others.map((key) => table[key])];
  };
  return foreignKey({ name, columns: columnsOf(from), foreignColumns: columnsOf(to) });
}
