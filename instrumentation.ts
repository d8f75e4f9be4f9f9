/** Next calls this once per process, under the front door and under plain `next start`. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { openStore } = await import("@/lib/db/open");
  const { publicUrl } = await import("@/lib/public-url");
  process.env.NEXTAUTH_URL ??= publicUrl();
  await openStore();
}
