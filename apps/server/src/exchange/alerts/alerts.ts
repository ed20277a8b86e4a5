import type { listAlerts, ResultOf } from '@sathorn/api';
import type { CoinCode, Price } from '@sathorn/money';
import type { Decision } from '@sathorn/settlement';
import type { TickWatch, TickWatchDependencies } from './watch-ticks.ts';

export type AlertsDependencies = TickWatchDependencies;

type List = ResultOf<typeof listAlerts>;

interface NewAlert {
  readonly code: CoinCode;
  readonly side: 'above' | 'below';
  readonly price: Price;
  readonly mode: 'once' | 'each';
}

export interface Alerts extends TickWatch {
  list(customer: bigint): Promise<List>;
  add(
    customer: bigint,
    alert: NewAlert,
    now: Date,
  ): Promise<Decision<List, 'alert_passed' | 'price_off_tick' | 'too_many_alerts' | 'coin_not_offered'>>;
  switch(customer: bigint, id: string, isOn: boolean): Promise<Decision<List, 'alert_unknown' | 'alert_passed'>>;
  remove(customer: bigint, id: string, now: Date): Promise<Decision<List, 'alert_unknown'>>;
}
