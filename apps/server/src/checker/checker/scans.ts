import { PUBLICATIONS } from './content-scans.ts';
import { CANDLES, CONTRACT_ORDERS, TRADES } from './contract-scans.ts';
import { CORRECTIONS } from './correction-scans.ts';
import { DEPOSITS, WITHDRAWALS } from './custody-scans.ts';
import { DISPUTES, MONEY_DISPUTES, OPENED_DISPUTES } from './dispute-scans.ts';
import { EARNING_ACCOUNTS, INCOMES, LOCKUPS, MOVEMENTS } from './earning-scans.ts';
import { INVITE_GRANTS, INVITES } from './invite-scans.ts';
import { ACCOUNTS, JOURNALS, LEGS, TRANSFERS } from './ledger-scans.ts';
import { SEGMENTS, TICKS } from './market-scans.ts';
import { TERMS } from './offer-scans.ts';
import { APPROVALS, ENTRIES, OPERATORS } from './operator-scans.ts';
import { OPTION_ORDERS } from './option-scans.ts';
import { DRAWS, SIGN_INS } from './reward-scans.ts';
import { OWN_LIMITS } from './safeguard-scans.ts';
import type { Scan } from './scan.ts';
import { TICK_SIGNATURES } from './signature-scans.ts';
import { INCIDENTS, PAUSES } from './status-scans.ts';
import { CONVERSATIONS, READY_ANSWERS } from './support-scans.ts';

/** All scans, in the order of a slow pass. */
export const SCANS: readonly Scan[] = [
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
