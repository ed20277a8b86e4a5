import { describe, expect, it } from 'vitest';
import { decideTreasuryTransaction, RUN_LINES_MAX, type TreasuryRefusal } from './decide-transaction.ts';
import { addressWord, type Hex, selectorOf, sizedBytes, word } from './encoding.ts';
import { type OwnerChange, SENTINEL, writeOwnerChange } from './owner-change.ts';
import { MULTI_SEND, type RunLine, TRANSFER, writePaymentRun } from './payment-run.ts';
import { type SafeTransaction, ZERO_ADDRESS } from './safe-transaction.ts';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
const [SAFE, MULTI, TOKEN, PAYEE] = [address('a'), address('b'), address('c'), address('d')];
const [ANN, BEA, CID, DAN] = [address('1'), address('2'), address('3'), address('4')];
const FACTS = { safe: SAFE, multiSend: MULTI, tokens: [TOKEN], owners: [ANN, BEA, CID], threshold: 2, nonce: 7n };
const LINE: RunLine = { token: TOKEN, to: PAYEE, units: 5n };

const run = (...lines: RunLine[]): SafeTransaction => writePaymentRun(lines, MULTI, 7n);
const owners = (change: OwnerChange): SafeTransaction => writeOwnerChange(change, SAFE, 7n);
/** A run whose one call is this. */
const packed = (call: string): SafeTransaction => ({
  ...run(LINE),
  data: `0x${MULTI_SEND}${word(32)}${sizedBytes(call)}`,
});
const callOf = ({ operation = '00', value = 0n, data = TRANSFER + addressWord(PAYEE) + word(5) }): string =>
  operation + TOKEN.slice(2) + word(value) + word(data.length / 2) + data;
const call = (data: string, to = SAFE): SafeTransaction => ({ to, data: `0x${data}`, operation: 'call', nonce: 7n });

describe('a transaction of the treasury', () => {
  it.each<[string, SafeTransaction, unknown]>([
    ['a payment', run(LINE), { kind: 'run', lines: [LINE] }],
    [
      'a new owner',
      owners({ kind: 'add', owner: DAN, threshold: 3 }),
      { kind: 'owners', change: { kind: 'add', owner: DAN, threshold: 3 } },
    ],
    [
      'another key of an owner',
      owners({ kind: 'swap', previous: ANN, owner: BEA, next: DAN }),
      { kind: 'owners', change: { kind: 'swap', previous: ANN, owner: BEA, next: DAN } },
    ],
  ])('may be %s', (_name, transaction, effect) => {
    expect(decideTreasuryTransaction(transaction, FACTS)).toEqual({ ok: true, effect });
  });

  it('may remove an owner where enough are left', () => {
    const remove = owners({ kind: 'remove', previous: SENTINEL, owner: ANN, threshold: 2 });
    const four = { ...FACTS, owners: [ANN, BEA, CID, DAN] };
    expect(decideTreasuryTransaction(remove, four)).toMatchObject({ ok: true });
    expect(decideTreasuryTransaction(remove, FACTS)).toMatchObject({ refusal: 'too_few_owners' });
  });

  it.each<[TreasuryRefusal, SafeTransaction]>([
    ['nonce_differs', { ...run(LINE), nonce: 8n }],
    ['target_unknown', call(TRANSFER + addressWord(PAYEE) + word(5), TOKEN)],
    ['delegate_call', { ...call('', SAFE), operation: 'delegatecall' }],
    ['delegate_call', { ...run(LINE), to: address('e') }],
    ['call_unknown', { ...run(LINE), operation: 'call' }],
    ['call_unknown', call(selectorOf('enableModule(address)') + addressWord(PAYEE))],
    ['call_unknown', call(selectorOf('setGuard(address)') + addressWord(PAYEE))],
    ['call_unknown', call(selectorOf('changeThreshold(uint256)') + word(1))],
    ['call_unknown', call('')],
    [
      'call_unknown',
      {
        ...owners({ kind: 'add', owner: DAN, threshold: 2 }),
        data: longer(owners({ kind: 'add', owner: DAN, threshold: 2 }).data),
      },
    ],
    ['run_malformed', { ...run(LINE), data: longer(run(LINE).data) }],
    ['run_malformed', packed(callOf({}).slice(0, -2))],
    ['run_malformed', { ...run(LINE), data: '0x' }],
    ['run_empty', run()],
    ['run_too_long', run(...Array.from({ length: RUN_LINES_MAX + 1 }, () => LINE))],
    ['line_of_another_contract', run(LINE, { ...LINE, token: PAYEE })],
    ['line_delegate_call', packed(callOf({ operation: '01' }))],
    ['line_with_coins', packed(callOf({ value: 1n }))],
    [
      'line_not_transfer',
      packed(callOf({ data: selectorOf('approve(address,uint256)') + addressWord(PAYEE) + word(5) })),
    ],
    ['line_not_transfer', packed(callOf({ data: `${TRANSFER}${'f'.repeat(24)}${PAYEE.slice(2)}${word(5)}` }))],
    ['line_without_amount', run({ ...LINE, units: 0n })],
    ['line_to_house', run({ ...LINE, to: SAFE })],
    ['line_to_house', run({ ...LINE, to: TOKEN })],
    ['line_to_house', run({ ...LINE, to: ZERO_ADDRESS })],
    ['owner_malformed', owners({ kind: 'add', owner: SAFE, threshold: 2 })],
    ['owner_malformed', owners({ kind: 'add', owner: SENTINEL, threshold: 2 })],
    ['owner_already', owners({ kind: 'add', owner: ANN, threshold: 2 })],
    ['owner_already', owners({ kind: 'swap', previous: ANN, owner: BEA, next: CID })],
    ['owner_unknown', owners({ kind: 'remove', previous: ANN, owner: DAN, threshold: 2 })],
    ['previous_differs', owners({ kind: 'swap', previous: BEA, owner: BEA, next: DAN })],
    ['threshold_too_low', owners({ kind: 'add', owner: DAN, threshold: 1 })],
    ['threshold_too_high', owners({ kind: 'add', owner: DAN, threshold: 4 })],
  ])('is refused: %s', (refusal, transaction) => {
    expect(decideTreasuryTransaction(transaction, FACTS)).toMatchObject({ ok: false, refusal });
  });

  function longer(data: Hex): Hex {
    return `${data}00`;
  }
});
