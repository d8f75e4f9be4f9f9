/** Where people and programs reach the product: for links, token issuers, cookies and the Origin check. Without a trailing slash. */
export function publicUrl(): string {
  return (process.env.PUBLIC_URL ?? `http://localhost:${process.env.PORT ?? 3000}`).replace(
    /\/+$/,
    "",
  );
}
