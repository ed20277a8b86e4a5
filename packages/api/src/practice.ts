import * as v from 'valibot';
import { type Call, call } from './call.ts';
import { fieldFault, noFields } from './fields.ts';
import { deviceKey } from './person-fields.ts';
import { sessionResult } from './sign-in.ts';

/** Printable ASCII, whose parts the ticket's own judge names as faults. */
const ticket = v.pipe(v.string(fieldFault('required')), v.regex(/^[ -~]{1,1000}$/, fieldFault('malformed')));

/** On the real platform. Its answer contains a ticket that opens the practice account once, within half a minute. */
export const askPractice = call('POST /users/practice', {
  who: 'customer',
  summary: 'The address at which your practice account opens. It works once, within half a minute.',
  request: noFields,
  result: v.object({ url: v.string() }),
  refusals: ['practice_not_offered', 'account_frozen', 'self_excluded', 'time_out'],
});

/** On the practice platform, whose only way in this is. */
export const enterPractice = call('POST /users/practice/enter', {
  who: 'anyone',
  summary: 'Open a session of the practice account with a ticket of the real platform.',
  request: v.object({ ticket, device: v.optional(deviceKey) }),
  result: sessionResult,
  refusals: [
    'practice_not_offered',
    'practice_ticket_malformed',
    'practice_ticket_elsewhere',
    'practice_ticket_expired',
    'practice_ticket_forged',
    'practice_ticket_used',
  ],
});

/**
 * The calls of the practice platform: trading, earning, reads of both, and the customer's own settings. It has no other
 * calls, so none of operators, passwords, deposits, withdrawals or rewards.
 */
const IN_PRACTICE = [
  /^\/(?:coin|consents|market|offer|proof|yuebao)\//,
  /^\/(?:content|third)\/(?!winnotice|fame)/,
  /^\/other\/config$/,
  /^\/demo\/fund$/,
  /^\/status(?:\/|$)/,
  /^\/users\/(?:account|alerts|corrections|devices|disputes|keys|message|ordered|practice\/enter|push|safeguards|sessions)(?:\/|$)/,
  /^\/users\/(?:edit|edit\/avatar|info|kept|logins|logout|second|picture)$/,
];
const NOT_IN_PRACTICE = /^\/(?:coin\/order\/dispute|users\/disputes\/open)$/;

export const isInPractice = ({ path, who }: Pick<Call, 'path' | 'who'>): boolean =>
  who !== 'operator' && IN_PRACTICE.some((part) => part.test(path)) && !NOT_IN_PRACTICE.test(path);

/**
 * The app's pages that the practice platform does not have, as a pattern of their paths: sign-up and passwords,
 * deposits, withdrawals, rewards, levels and staff.
 */
export const PAGES_NOT_IN_PRACTICE =
  '^/pages/(?:activeList|blindbox|intro|login|Recharge|Withdraw|service/index|index/(?!index|msgList)|' +
  'mine/(?:addWallet|Certification|corrections|vipLevel|walletList|security(?!/keys)|setting/(?:password|paypass|phone|trade)))';
