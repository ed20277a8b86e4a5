/** Calls of the table that have no handler yet: they answer HTTP 501 with an envelope, and no screen leads to them. */
export const PLANNED_CALLS = [
  'GET /content/sale', 'GET /content/sale/info', 'GET /users/ranks', 'GET /task/level', 'GET /users/bank', 'POST /users/bank/add', 'GET /users/bank/del',
  'POST /users/levelauth', 'POST /users/extract', 'GET /users/extract/rate', 'GET /pay/lists', 'POST /pay/submit',
  'POST /coin/trans/add', 'POST /coin/trans/close', 'POST /coin/trans/lists', 'GET /yuebao/balance', 'GET /yuebao/product', 'GET /yuebao/order',
  'GET /yuebao/rule', 'GET /yuebao/transfer/in', 'POST /yuebao/transfer/in', 'GET /yuebao/transfer/out', 'POST /yuebao/transfer/out',
  'POST /users/second/start', 'POST /users/second/confirm', 'POST /users/second/stop', 'GET /users/invites', 'GET /coin/book', 'GET /coin/trades',
  'POST /task/sign', 'GET /box/lists', 'POST /box/draw', 'GET /box/record', 'POST /pay/demo', 'POST /users/extract/cancel', 'GET /support/messages',
  'POST /support/send', 'GET /status',
] as const;
