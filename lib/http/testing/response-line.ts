/** "GET /v1/user/list 403 auth.permission-missing" */
export const responseLine = (operation: string, status: number, code?: string): string =>
  [operation, status, ...(code === undefined ? [] : [code])].join(" ");
