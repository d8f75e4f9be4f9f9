import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions, invalidCallbackUrl } from "@/lib/features/portal/portal";

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = async (request: NextRequest, context: Context): Promise<Response> =>
  invalidCallbackUrl(request) ?? (await NextAuth(request, context, authOptions()));

export { handle as GET, handle as POST };
