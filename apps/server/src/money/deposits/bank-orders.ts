import { createHash, randomBytes } from 'node:crypto';
import type { DepositRecord } from '@sathorn/api';
import { formatMoney, isMore, parseMoney } from '@sathorn/money';
import { accept, type Decision, refuse, usdtForBaht } from '@sathorn/settlement';
import { arrayLiteral, statement } from '../../platform/database/index.ts';
import { payInRate } from './bank-rails.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { readDeposits, readOwnDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { orderNumberOf } from './order-number.ts';
import { promisedOrderId } from './promised-rate.ts';

const { bahtMin, bahtMax, spreadBps, rateHeldMs, openOrdersMax } = DEPOSIT_SETTINGS;

// Serialises one customer's orders, so that parallel ones can't exceed the limit.
const LOCK = statement(
  'deposits.lock_orders',
  "SELECT pg_advisory_xact_lock(hashtextextended('deposit-orders:' || $1, 0))",
);
const COUNT = statement(
  'deposits.count_open_orders',
  "SELECT count(*) AS open FROM deposits.deposit WHERE customer_id = $1 AND step = 'awaiting_slip' AND created_at > $2",
);
const ORDER = statement(
  'deposits.order',
  `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, amount, created_at, baht, rate, rate_until, reference, account)
   VALUES ($1, $2, $3, $4, $4, 'awaiting_slip', $5, $6, $7, $8, $9, $10, $11)`,
);
const SLIP = statement(
  'deposits.keep_slip',
  `UPDATE deposits.deposit SET slip = $3, slip_digest = $4, step = 'in_review', version = version + 1
   WHERE id = $1::uuid AND customer_id = $2 AND step = 'awaiting_slip' RETURNING id`,
);
/** How many of 256 bits may differ: saving a picture again changes a few, another slip of the bank more. */
const LIKE_MOST = 10;
const LIKE_DAYS = 180;
const LOOKS = statement(
  'deposits.keep_look',
  `UPDATE deposits.deposit SET slip_look = $2::bit(256)[], slip_like = deposits.find_like($1::uuid, $2::bit(256)[], $3, $4)
   WHERE id = $1::uuid AND slip IS NOT NULL`,
);
/** A hash with fewer set bits says nothing, because a picture of one colour resembles every other. */
const STEPS_LEAST = 16;
const bitsOf = (look: Buffer): string => [...look].map((byte) => byte.toString(2).padStart(8, '0')).join('');
const UNIQUE_VIOLATION = '23505';
const SLIP_USED = statement('deposits.slip_used', 'SELECT id FROM deposits.deposit WHERE slip = $1');

/** Letters and digits that are hard to confuse when typed by hand. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const reference = (): string => `SA${[...randomBytes(10)].map((byte) => SIGNS[byte % SIGNS.length]).join('')}`;

/** Creates an order to pay baht. Its rate is fixed for 15 minutes, and its reference is unique. */
export async function createBankOrder(
  module: DepositsModule,
  customer: bigint,
  channel: 'bank' | 'promptpay',
  text: string,
  now: Date,
): Promise<
  Decision<
    DepositRecord,
    | 'channel_paused'
    | 'below_baht_minimum'
    | 'above_baht_maximum'
    | 'too_many_open_deposits'
    | 'account_frozen'
    | 'malformed_request'
  >
> {
  const { database, banks, bahtRate, timeZone, viewOf, sealer } = module;
  const field = 'amount';
  const baht = parseMoney('THB', text);
  if (baht === undefined) return refuse('malformed_request', { field });
  const rate = await bahtRate();
  await banks.refresh();
  const bank = banks.forCustomer(customer);
  if (!bank || !rate) return refuse('channel_paused', { field: 'channel' });
  if (isMore(bahtMin, baht)) return refuse('below_baht_minimum', { field, params: { min: formatMoney(bahtMin) } });
  if (isMore(baht, bahtMax)) return refuse('above_baht_maximum', { field, params: { max: formatMoney(bahtMax) } });
  const paying = payInRate(rate, spreadBps);
  const rateUntil = new Date(now.getTime() + rateHeldMs);
  const id = promisedOrderId(sealer, { customer_id: customer, channel, baht, rate: paying, rate_until: rateUntil });
  const refused = await database.transaction(async (transaction) => {
    await transaction.query(LOCK, [customer]);
    if (await module.isFrozen(transaction, customer)) return 'account_frozen' as const;
    const since = new Date(now.getTime() - DEPOSIT_SETTINGS.slipWithinMs);
    const [row] = await transaction.query<{ open: bigint }>(COUNT, [customer, since]);
    if (Number(row?.open ?? 0) >= openOrdersMax) return 'too_many_open_deposits' as const;
    await transaction.query(ORDER, [
      id,
      orderNumberOf('D', id, now, timeZone),
      customer,
      channel,
      usdtForBaht(baht, paying).units,
      now,
      baht.units,
      paying,
      rateUntil,
      reference(),
      bank.id,
    ]);
    return null;
  });
  if (refused !== null) return refuse(refused);
  const [row] = await readDeposits(database, [id]);
  if (!row) throw new Error('a bank order is not there');
  await module.changed([id]);
  return accept(viewOf(row));
}

/** Attaches the customer's picture of the bank slip. One slip proves one payment. */
export async function attachSlip(
  module: DepositsModule,
  customer: bigint,
  id: string,
  slip: string,
  now: Date,
): Promise<Decision<DepositRecord, 'deposit_unknown' | 'deposit_finished' | 'slip_unknown'>> {
  const { database, viewOf } = module;
  const isUuid = /^[0-9a-f-]{36}$/.test(id);
  const before = isUuid ? await readOwnDeposit(database, id, customer) : undefined;
  if (!before || before.kind === 'crypto') return refuse('deposit_unknown', { field: 'id' });
  if (before.slip === slip) return accept(viewOf(before));
  const isLate = now.getTime() > before.created_at.getTime() + DEPOSIT_SETTINGS.slipWithinMs;
  if (before.step !== 'awaiting_slip' || isLate) return refuse('deposit_finished', { field: 'id' });
  const picture = await module.readPicture(customer, slip);
  if (picture === null) return refuse('slip_unknown', { field: 'slip' });
  if ((await database.query(SLIP_USED, [slip])).length > 0) return refuse('slip_unknown', { field: 'slip' });
  // Another order may be getting the same picture at this moment.
  const digest = createHash('sha256').update(picture).digest();
  const kept = await database.query(SLIP, [id, customer, slip, digest]).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return null;
    throw error;
  });
  if (kept === null) return refuse('slip_unknown', { field: 'slip' });
  if (kept.length === 0) return refuse('deposit_finished', { field: 'id' });
  // The hash is only shown to operators, so a slip that cannot be hashed is accepted like any other.
  const look = (await module.lookOf(picture))?.map(bitsOf);
  if (look?.[0] && look[0].replaceAll('0', '').length >= STEPS_LEAST) {
    const since = new Date(now.getTime() - LIKE_DAYS * 86_400_000);
    await database.query(LOOKS, [id, arrayLiteral(look), LIKE_MOST, since]);
  }
  await module.changed([id]);
  const [row] = await readDeposits(database, [id]);
  if (!row) throw new Error('a bank order is not there');
  return accept(viewOf(row));
}
