import { redirect } from "next/navigation";
import { portalTenants } from "@/lib/features/portal/portal";

export default async function RootPage() {
  const tenant = (await portalTenants()).at(-1);
  redirect(tenant ? `/t/${tenant}` : "/sign-in");
}
