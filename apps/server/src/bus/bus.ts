import { EventEmitter } from 'node:events';
import type { Candle, Interval, OptionOrder, Ticker } from '@sathorn/api';
import type { AssetCode } from '@sathorn/money';

/** Live events from the roles that make them to the edges that send them on. Delivered at most once: a snapshot repairs a gap. */
export interface BusEvents {
  tickers: [tickers: Ticker[]];
  candle: [candle: { code: string; interval: Interval; candle: Candle }];
  /** What a customer's spot account has, after a commit of the ledger; counts of the asset's smallest unit. */
  funds: [event: { owner: bigint; asset: AssetCode; available: bigint; held: bigint }];
  /** A new tick exists for these coins; the settler listens. */
  ticked: [at: Date];
  order: [event: { owner: bigint; order: OptionOrder }];
  /** A customer's notices changed; what they say is read in each reader's own language. */
  message: [event: { owner: bigint; unread: number }];
  session_ended: [event: { sessionId: string }];
}

export class Bus extends EventEmitter<BusEvents> {
  constructor() {
    super();
    this.setMaxListeners(100);
  }
}
