import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/features/portal/portal";

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = (request: NextRequest, context: Context): Promise<Response> =>
  NextAuth(request, context, authOptions());

export { handle as GET, handle as POST };
