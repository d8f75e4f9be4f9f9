import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { answerInvalidAuthRequest } from "@/lib/features/portal/auth-request";
import { answerConnection } from "@/lib/features/portal/connection-return";
import { authOptions } from "@/lib/features/portal/portal";

type Context = { params: Promise<{ nextauth: string[] }> };
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  const own = await answerConnection(request, nextauth);
  const answered = own ?? (await answerInvalidAuthRequest(request, nextauth));
  return answered ?? (await NextAuth(request, context, authOptions()));
}

export { handle as GET, handle as POST };
