import type { Ledger } from '../../ledger/index.ts';
import { type DemoOutbox, readOutboxHandler } from '../../people/customers/index.ts';
import { onAnyClock } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { fundDemoHandler, type PausedRefusal } from './fund-demo.ts';

export interface DemoDependencies {
  readonly ledger: Ledger;
  readonly outbox: DemoOutbox;
  readonly pausedRefusal: PausedRefusal;
}

/** The calls that exist only in a demo. */
export function openDemo({ ledger, outbox, pausedRefusal }: DemoDependencies): Module<null> {
  return { api: null, handlers: [fundDemoHandler(ledger, pausedRefusal), ...onAnyClock(readOutboxHandler(outbox))] };
}
