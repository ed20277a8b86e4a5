/**
 * Calls of the table that have no handler yet: they answer HTTP 501 with an envelope, and no screen leads to them. One
 * that ends in `*` is a whole family.
 */
export const PLANNED_CALLS = [
  'GET /users/invites',
  'POST /task/sign',
  'GET /box/lists',
  'POST /box/draw',
  'GET /box/record',
  'GET /support/messages',
  'POST /support/send',
  'GET /proof/*',
  'GET /status',
  'GET /admin/*',
  'POST /admin/*',
] as const;
