import { CANDLES, CONTRACT_ORDERS, TRADES } from './contract-walks.ts';
import { DEPOSITS, WITHDRAWALS } from './custody-walks.ts';
import { EARNING_ACCOUNTS, INCOMES, LOCKUPS, MOVEMENTS } from './earning-walks.ts';
import { INVITE_GRANTS, INVITES } from './invite-walks.ts';
import { ACCOUNTS, JOURNALS, LEGS, TRANSFERS } from './ledger-walks.ts';
import { SEGMENTS, TICKS } from './market-walks.ts';
import { APPROVALS, ENTRIES, OPERATORS } from './operator-walks.ts';
import { OPTION_ORDERS } from './option-walks.ts';
import { OWN_LIMITS } from './safeguard-walks.ts';
import { TICK_SIGNATURES } from './signature-walks.ts';
import { CONVERSATIONS } from './support-walks.ts';
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
  MOVEMENTS,
  LOCKUPS,
  INCOMES,
  EARNING_ACCOUNTS,
  CANDLES,
  TICKS,
  SEGMENTS,
  TICK_SIGNATURES,
  ENTRIES,
  APPROVALS,
  OWN_LIMITS,
  OPERATORS,
  INVITES,
  INVITE_GRANTS,
  CONVERSATIONS,
];
