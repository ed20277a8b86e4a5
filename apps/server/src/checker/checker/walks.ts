import { PUBLICATIONS } from './content-walks.ts';
import { CANDLES, CONTRACT_ORDERS, TRADES } from './contract-walks.ts';
import { CORRECTIONS } from './correction-walks.ts';
import { DEPOSITS, WITHDRAWALS } from './custody-walks.ts';
import { DISPUTES, MONEY_DISPUTES, OPENED_DISPUTES } from './dispute-walks.ts';
import { EARNING_ACCOUNTS, INCOMES, LOCKUPS, MOVEMENTS } from './earning-walks.ts';
import { INVITE_GRANTS, INVITES } from './invite-walks.ts';
import { ACCOUNTS, JOURNALS, LEGS, TRANSFERS } from './ledger-walks.ts';
import { SEGMENTS, TICKS } from './market-walks.ts';
import { TERMS } from './offer-walks.ts';
import { APPROVALS, ENTRIES, OPERATORS } from './operator-walks.ts';
import { OPTION_ORDERS } from './option-walks.ts';
import { DRAWS, SIGN_INS } from './reward-walks.ts';
import { OWN_LIMITS } from './safeguard-walks.ts';
import { TICK_SIGNATURES } from './signature-walks.ts';
import { INCIDENTS, PAUSES } from './status-walks.ts';
import { CONVERSATIONS, READY_ANSWERS } from './support-walks.ts';
import type { Walk } from './walk.ts';

/** All of history, in the order of a slow pass. */
export const WALKS: readonly Walk[] = [
  TRANSFERS,
  ACCOUNTS,
  LEGS,
  JOURNALS,
  OPTION_ORDERS,
  TRADES,
  CONTRACT_ORDERS,
  DEPOSITS,
  WITHDRAWALS,
  CORRECTIONS,
  MOVEMENTS,
  LOCKUPS,
  INCOMES,
  EARNING_ACCOUNTS,
  SIGN_INS,
  DRAWS,
  CANDLES,
  TICKS,
  SEGMENTS,
  TICK_SIGNATURES,
  ENTRIES,
  APPROVALS,
  PUBLICATIONS,
  TERMS,
  OWN_LIMITS,
  OPERATORS,
  INVITES,
  INVITE_GRANTS,
  CONVERSATIONS,
  READY_ANSWERS,
  INCIDENTS,
  PAUSES,
  OPENED_DISPUTES,
  DISPUTES,
  MONEY_DISPUTES,
];
