import { describe, expect, it } from 'vitest';
import { CommandFault } from '../platform/bus/index.ts';
import { openFaultLog } from './fault-log.ts';

function opened() {
  let nowMs = 0;
  const lines: { message: string; values: Record<string, unknown> }[] = [];
  const faults = openFaultLog({
    log: { error: (values, message) => lines.push({ message, values: values as Record<string, unknown> }) },
    elapsedMs: () => nowMs,
  });
  return { lines, faults, pass: (ms: number) => (nowMs += ms), messages: () => lines.map(({ message }) => message) };
}
const full = () => Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' });

describe('the log of faults', () => {
  it('logs a fault once, and then one line per minute with its count', () => {
    const { faults, pass, lines } = opened();
    for (let n = 0; n < 1_000; n += 1) faults.report(new Error(`order ${n} failed`), 'POST /coin/order/add');
    expect(lines).toHaveLength(1);
    pass(60_000);
    faults.report(new Error('order 1 failed'), 'POST /coin/order/add');
    expect(lines.map(({ message, values }) => [message, values.count])).toEqual([
      ['a fault', undefined],
      ['a fault, repeated', 999],
      ['a fault', undefined],
    ]);
  });

  it('distinguishes faults by place and message, but not by the numbers in the message', () => {
    const { faults, messages } = opened();
    for (const where of ['a', 'b', 'a']) faults.report(new Error('it broke'), where);
    faults.report(new Error('another'), 'a');
    expect(messages()).toHaveLength(3);
  });

  it('raises one alarm for a full disk, wherever it occurs, and reports the disk as full for a while', () => {
    const { faults, pass, lines } = opened();
    for (let n = 0; n < 2_178; n += 1)
      faults.report(n % 2 ? full() : new Error('a quote of BTC failed', { cause: full() }), `route ${n % 5}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toMatch(/^alarm: the disk is full/);
    expect(faults.isDiskFull()).toBe(true);
    pass(15_000);
    expect(faults.isDiskFull()).toBe(false);
  });

  it('stays small whatever is thrown', () => {
    const { faults, lines } = opened();
    for (let n = 0; n < 10_000; n += 1) faults.report(new Error('x'.repeat((n % 300) + 1)), `route ${n % 7}`);
    expect(lines.length).toBeLessThan(250);
    faults.flush();
    expect(lines.length).toBeLessThan(500);
  });

  it('reports once that the database or a matcher is unavailable', () => {
    const { faults, messages } = opened();
    faults.report(Object.assign(new Error('terminated'), { code: '57P01' }), 'a');
    faults.report(new CommandFault('no process is serving it'), 'b');
    expect(messages()).toEqual(['the database or the bus is unavailable, retrying']);
  });
});
