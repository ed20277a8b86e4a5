/**
 * Calls of the specification without a handler yet. They answer HTTP 501 with an envelope, and no screen links to them.
 * A trailing `*` stands for a whole family of calls.
 */
export const PLANNED_CALLS = ['GET /users/invites', 'GET /proof/*', 'GET /admin/*', 'POST /admin/*'] as const;
