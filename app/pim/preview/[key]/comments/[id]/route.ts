import * as contract from "@/lib/features/previews/comments/contract";
import * as comments from "@/lib/features/previews/comments/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route(contract.updatePreviewComment, comments.updateComment),
  DELETE: route(contract.deletePreviewComment, comments.deleteComment),
});
