import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { answerInvalidAuthRequest } from "@/lib/features/portal/auth-request";
import { authOptions } from "@/lib/features/portal/portal";

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = async (request: NextRequest, context: Context): Promise<Response> =>
  (await answerInvalidAuthRequest(request, (await context.params).nextauth)) ??
  (await NextAuth(request, context, authOptions()));

export { handle as GET, handle as POST };
