import { buyOption, listOptions } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { expect, it } from 'vitest';
import type { Handler } from '../../platform/edge/handle.ts';
import { barMoneyCalls } from './bar-money-calls.ts';

it('refuses calls that move money, and no others, while a check fails', async () => {
  let isBarred = false;
  const handlers: Handler[] = [buyOption, listOptions].map((call) => ({ call, run: async () => accept(call.path) }));
  const [buy, list] = barMoneyCalls(handlers, () => isBarred);
  const ask = (handler: Handler | undefined) => handler?.run({} as never);
  expect(await ask(buy)).toMatchObject({ ok: true });
  isBarred = true;
  expect(await ask(buy)).toMatchObject({ ok: false, refusal: 'money_halted' });
  expect(await ask(list)).toMatchObject({ ok: true });
  isBarred = false;
  expect(await ask(buy)).toMatchObject({ ok: true });
});
