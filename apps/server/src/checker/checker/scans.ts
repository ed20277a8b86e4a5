import { CERTIFICATION_SCAN } from './certification-scans.ts';
import { ACCOUNT_HEAD_SCAN } from './chain-scans.ts';
import { PUBLICATION_SCAN } from './content-scans.ts';
import { CANDLE_SCAN, CONTRACT_ORDER_SCAN, TRADE_SCAN, WAITING_SCAN } from './contract-scans.ts';
import { CORRECTION_SCAN } from './correction-scans.ts';
import { DEPOSIT_SCAN, WITHDRAWAL_SCAN } from './custody-scans.ts';
import { DISPUTE_SCAN, MONEY_DISPUTE_SCAN, OPENED_DISPUTE_SCAN } from './dispute-scans.ts';
import { EARNING_ACCOUNT_SCAN, EARNING_MOVEMENT_SCAN, INCOME_SCAN, LOCKUP_SCAN } from './earning-scans.ts';
import { INVITE_GRANT_SCAN, INVITE_SCAN } from './invite-scans.ts';
import { ACCOUNT_SCAN, JOURNAL_SCAN, TRANSFER_LEG_SCAN, TRANSFER_SCAN } from './ledger-scans.ts';
import { TICK_SCAN, TICK_SEGMENT_SCAN } from './market-scans.ts';
import { OFFER_TERMS_SCAN } from './offer-scans.ts';
import { APPROVAL_SCAN, AUDIT_ENTRY_SCAN, OPERATOR_SCAN } from './operator-scans.ts';
import { OPTION_ORDER_SCAN } from './option-scans.ts';
import { API_ORDER_SCAN, ORDERED_SCAN } from './ordered-scans.ts';
import { PROMISE_SCAN } from './promise-scans.ts';
import { RECURRING_SCAN } from './recurring-scans.ts';
import { DRAW_SCAN, SIGN_IN_SCAN } from './reward-scans.ts';
import { OWN_LIMIT_SCAN } from './safeguard-scans.ts';
import type { Scan } from './scan.ts';
import { TICK_SIGNATURE_SCAN } from './signature-scans.ts';
import { STANDING_SCAN } from './standing-scans.ts';
import { INCIDENT_SCAN, PAUSE_SCAN } from './status-scans.ts';
import { CONVERSATION_SCAN, READY_ANSWER_SCAN } from './support-scans.ts';

/** All scans, in the order of a slow pass. */
export const CHECKER_SCANS: readonly Scan[] = [
  TRANSFER_SCAN,
  ACCOUNT_SCAN,
  TRANSFER_LEG_SCAN,
  ACCOUNT_HEAD_SCAN,
  JOURNAL_SCAN,
  OPTION_ORDER_SCAN,
  PROMISE_SCAN,
  TRADE_SCAN,
  CONTRACT_ORDER_SCAN,
  WAITING_SCAN,
  RECURRING_SCAN,
  DEPOSIT_SCAN,
  WITHDRAWAL_SCAN,
  CORRECTION_SCAN,
  EARNING_MOVEMENT_SCAN,
  LOCKUP_SCAN,
  STANDING_SCAN,
  INCOME_SCAN,
  EARNING_ACCOUNT_SCAN,
  SIGN_IN_SCAN,
  DRAW_SCAN,
  CANDLE_SCAN,
  TICK_SCAN,
  TICK_SEGMENT_SCAN,
  TICK_SIGNATURE_SCAN,
  AUDIT_ENTRY_SCAN,
  APPROVAL_SCAN,
  PUBLICATION_SCAN,
  CERTIFICATION_SCAN,
  OFFER_TERMS_SCAN,
  OWN_LIMIT_SCAN,
  OPERATOR_SCAN,
  INVITE_SCAN,
  INVITE_GRANT_SCAN,
  CONVERSATION_SCAN,
  READY_ANSWER_SCAN,
  INCIDENT_SCAN,
  PAUSE_SCAN,
  OPENED_DISPUTE_SCAN,
  DISPUTE_SCAN,
  MONEY_DISPUTE_SCAN,
  ORDERED_SCAN,
  API_ORDER_SCAN,
];
