import type { Ledger } from '../../ledger/index.ts';
import { type DemoOutbox, readOutboxHandler } from '../../people/customers/index.ts';
import { allowOnAnyClock } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { fundDemoHandler } from './fund-demo.ts';

export interface DemoDependencies {
  readonly ledger: Ledger;
  readonly outbox: DemoOutbox;
  readonly isPractice?: boolean;
}

/** The calls that exist only in a demo. */
export function openDemo({ ledger, outbox, isPractice = false }: DemoDependencies): Module<null> {
  return { api: null, handlers: [fundDemoHandler(ledger, isPractice), ...allowOnAnyClock(readOutboxHandler(outbox))] };
}
