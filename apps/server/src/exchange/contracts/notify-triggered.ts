import { COINS, formatPrice, type Price } from '@sathorn/money';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { orderIdOf } from './contract-order.ts';
import { insertTriggerNotices, readUntoldTriggers } from './waiting-store.ts';

/** Later than this a notice would only confuse. */
const NEWEST_MS = 3_600_000;
const BATCH = 500;

interface TriggerNoticeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'send'>;
}

/** Tells customers of their orders that a tick has triggered, each once, also after a crash. */
export async function notifyTriggered({ database, clock, messages }: TriggerNoticeDependencies): Promise<void> {
  for (;;) {
    const now = clock.now();
    const rows = await readUntoldTriggers(database, now.getTime() - NEWEST_MS, BATCH);
    if (rows.length === 0) return;
    await Promise.all(
      rows.map((row) => {
        const id = orderIdOf(row);
        const params = {
          coin: row.coin,
          order: id,
          amount: `${formatPrice(row.tickPrice as Price, COINS[row.coin].indexDecimals)} USDT`,
          at: new Date(row.tickMs ?? row.updatedMs).toISOString(),
        };
        const template = row.state === 'triggered' ? 'order_triggered' : 'order_not_placed';
        // The notice's id is fixed, so it is stored only once if it is sent again after a crash.
        return messages.send(row.customer, template, params, now, `waiting ${id}`);
      }),
    );
    await insertTriggerNotices(database, rows);
  }
}
