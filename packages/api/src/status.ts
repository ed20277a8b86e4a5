import * as v from 'valibot';
import { PAUSE_KINDS } from './admin-pauses.ts';
import { call } from './call.ts';
import { DISPUTE_FINDINGS, MONEY_FINDINGS } from './disputes.ts';
import { decimalText, isoTime, noFields } from './fields.ts';

export const INCIDENT_PARTS = ['prices', 'options', 'contracts', 'earning', 'deposits', 'withdrawals', 'app'] as const;
export const INCIDENT_SEVERITIES = ['notice', 'degraded', 'outage'] as const;
/** `halted`: the ledger refuses all transfers until people have reviewed the checker's findings. */
const PLATFORM_STATES = ['running', 'degraded', 'outage', 'halted'] as const;

const incidentView = v.object({
  id: v.string(),
  severity: v.picklist(INCIDENT_SEVERITIES),
  parts: v.array(v.picklist(INCIDENT_PARTS)),
  opened_at: isoTime,
  closed_at: v.nullable(isoTime),
  /** In the reader's language, or in English if there is no translation; newest first. */
  updates: v.array(v.object({ at: isoTime, text: v.string() })),
});
export type IncidentView = v.InferOutput<typeof incidentView>;

const sourceState = v.object({
  name: v.string(),
  price: v.nullable(decimalText),
  at: v.nullable(isoTime),
  used: v.boolean(),
  /** The reason for the source's exclusion. */
  reason: v.nullable(v.string()),
});

const platformStatus = v.object({
  at: isoTime,
  state: v.picklist(PLATFORM_STATES),
  /** The invariant whose violation halted money. */
  halted_by: v.nullable(v.string()),
  /** When the checker last completed a pass over the whole history. */
  checked_at: v.nullable(isoTime),
  incidents: v.array(incidentView),
  /** When the latest incident ended; null if there was none. */
  last_incident_at: v.nullable(isoTime),
  /** Withdrawals of the last day: sent automatically, and approved by one or two operators. */
  withdrawals: v.object({
    automatic: v.object({ count: v.number(), median_minutes: v.nullable(v.number()) }),
    checked: v.object({ count: v.number(), median_minutes: v.nullable(v.number()) }),
    waiting: v.number(),
    longest_waiting_minutes: v.nullable(v.number()),
    promised_minutes: v.number(),
    /** The number of withdrawals past their promised time. */
    late: v.number(),
    /** The reason why payouts on the chain have stopped; null while they continue. */
    stopped: v.nullable(v.picklist(['restoration', 'foreign_transaction', 'gas', 'late'])),
  }),
  coins: v.array(
    v.object({
      code: v.string(),
      price: v.nullable(decimalText),
      at: v.nullable(isoTime),
      stale: v.boolean(),
      sources: v.array(sourceState),
      /** The newest signed tick. */
      head: v.nullable(v.object({ sequence: v.string(), hash: v.string() })),
    }),
  ),
  origin: v.picklist(['live', 'sim', 'replay']),
});
export type PlatformStatus = v.InferOutput<typeof platformStatus>;

export const readStatus = call('GET /status', {
  who: 'anyone',
  summary: 'The public status: incidents, withdrawal times, sources of each price with their age, heads of the chains.',
  request: noFields,
  result: platformStatus,
});

/** Options that a late price settled: all of them, and those that their customers won and lost. */
const lateCounts = v.object({ orders: v.number(), won: v.number(), lost: v.number() });

const platformFigures = v.object({
  at: isoTime,
  days: v.number(),
  /** The signed sums (`liabilities/1`) that `owed` repeats; null before the first, when it is read from the ledger. */
  signed_sums: v.nullable(v.object({ sequence: v.string(), hash: v.string(), at: isoTime })),
  /** Amounts owed to customers and held outside. `counted` is the chain's own balance, or null if it cannot be read. */
  solvency: v.array(
    v.object({
      asset: v.string(),
      owed: decimalText,
      held: decimalText,
      counted: v.nullable(decimalText),
      /** Units held per unit owed, such as 1.02; null if nothing is owed. */
      cover: v.nullable(decimalText),
      /**
       * `chain`: counted on the chain. `bank`: stated by a person. `signed`: counted and signed by two people. `test`:
       * a demo's test money, which is not held anywhere.
       */
      evidence: v.picklist(['chain', 'bank', 'signed', 'test']),
    }),
  ),
  options: v.array(
    v.object({
      /** In seconds. */
      duration: v.number(),
      orders: v.number(),
      won: v.number(),
      lost: v.number(),
      tie: v.number(),
      void: v.number(),
      /** Sold back before their end. */
      sold: v.number(),
      /** The share of wins among won and lost options; null if there are none. */
      share_won: v.nullable(decimalText),
      /** The share of wins at which a customer breaks even, for the payouts and fees that applied, rounded up. */
      break_even: v.nullable(decimalText),
      /** The average result of a stake of 100 USDT. */
      per_100: v.nullable(decimalText),
    }),
  ),
  orders: v.number(),
  voids: v.number(),
  /** Per coin: options that late prices settled, won and lost, and voids by reason. */
  coins: v.array(
    v.object({
      code: v.string(),
      orders: v.number(),
      /** Settled by a start or end price whose signed text says that it was published late. */
      late: lateCounts,
      /** Those of them whose price was published more than five seconds late. */
      late_over_5s: lateCounts,
      voids: v.object({ no_start_tick: v.number(), no_end_tick: v.number() }),
      /** Lost options that their customers had void, because a price more than five seconds late settled them. */
      had_void: v.number(),
    }),
  ),
  /** How long options waited from their arrival to their acceptance, in ms, as their signed terms say. */
  waits: v.nullable(
    v.object({
      orders: v.number(),
      median_ms: v.number(),
      /** 99 of 100 options waited no longer. */
      p99_ms: v.number(),
      /** The 10th percentile of customers' own medians. */
      quick_tenth_ms: v.number(),
      /** The 90th percentile of customers' own medians. */
      slow_tenth_ms: v.number(),
    }),
  ),
  /** Everything that was paused in these days, the longest pause first. */
  pauses: v.array(
    v.object({
      kind: v.picklist(PAUSE_KINDS),
      subject: v.string(),
      times: v.number(),
      /** The total time of the pauses in these days. */
      seconds: v.number(),
      /** The start of the current pause; null if it is not paused now. */
      since: v.nullable(isoTime),
    }),
  ),
  /** Credited deposits whose blocks left their chain in these days, newest first, and the house's loss on each. */
  reversals: v.array(v.object({ at: isoTime, channel: v.string(), amount: decimalText, borne: decimalText })),
  disputes: v.object({
    /** The disputes opened in these days. */
    opened: v.number(),
    /** The disputes without an answer now. */
    waiting: v.number(),
    /** Answered in these days, by finding. */
    answered: v.array(v.object({ finding: v.picklist([...DISPUTE_FINDINGS, ...MONEY_FINDINGS]), count: v.number() })),
    /** From opening to answer; null if there was no answer. */
    median_seconds: v.nullable(v.number()),
    /** Answered in these days or still waiting, past the deadline promised to the customer. */
    late: v.number(),
  }),
});
export type PlatformFigures = v.InferOutput<typeof platformFigures>;

export const readFigures = call('GET /status/figures', {
  who: 'anyone',
  summary:
    'Public figures of the last 30 days, from the ledger and the orders: what is owed and held, how options ended by duration, how many a late price settled and for whom, how long they waited for acceptance, what was paused, which deposits a chain undid and how disputes were answered.',
  request: noFields,
  result: platformFigures,
});

export const listFame = call('GET /content/fame', {
  who: 'anyone',
  summary:
    'The hall of fame of the last 7 days: how all customers with options did together, and by name, masked, those who are ahead and agreed to be shown.',
  request: noFields,
  result: v.object({
    from: isoTime,
    to: isoTime,
    /** All customers whose options ended in this period; net results in USDT. */
    customers: v.number(),
    ahead: v.number(),
    behind: v.number(),
    total: decimalText,
    median: v.nullable(decimalText),
    /** The number of these customers who agreed to be shown. */
    consenting: v.number(),
    items: v.array(v.object({ name: v.string(), orders: v.number(), net: decimalText })),
  }),
});
