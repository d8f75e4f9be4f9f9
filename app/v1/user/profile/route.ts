import * as contract from "@/lib/features/users/contract";
import * as users from "@/lib/features/users/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getOwnProfile, ({ caller }) => users.getOwnProfile(caller)),
});
