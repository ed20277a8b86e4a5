import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountEntry,
  CHAIN_START,
  hashOfEntry,
  NO_ENTRY_HASH,
  walkEntries,
  writeEntry,
} from './account-chain.ts';
import { canonicalText, parseCanonical } from './canonical.ts';
import { bytesToSign, hashOfBody } from './signature.ts';
import { verifyStatementFile } from './statement-file.ts';
import { findContradiction, readStatementHead } from './statement-head.ts';
import { TEST_KEYS } from './testing-receipts.ts';
import { headAt, SPOT, signedHeads, TEST_ENTRIES, testStatementFile } from './testing-statements.ts';

describe('a chain of entries', () => {
  it('has texts that are canonical and of a type', () => {
    let prev = NO_ENTRY_HASH;
    for (const entry of TEST_ENTRIES) {
      const body = writeEntry(SPOT, entry, prev);
      expect(parseCanonical(body)).toEqual({ v: 'entry/1', account: 'spot', asset: 'USDT', prev, ...entry });
      expect(bytesToSign(body)).toBeDefined();
      prev = hashOfEntry(SPOT, entry, prev);
      expect(prev).toBe(hashOfBody(body));
    }
  });

  it('gives the same point in pages of any size, and goes on from a remembered one', () => {
    const whole = walkEntries(SPOT, CHAIN_START, TEST_ENTRIES);
    for (let size = 1; size <= TEST_ENTRIES.length; size += 1) {
      let point = CHAIN_START;
      for (let from = 0; from < TEST_ENTRIES.length; from += size) {
        const walked = walkEntries(SPOT, point, TEST_ENTRIES.slice(from, from + size));
        if (!walked.ok) throw new Error(walked.fault);
        point = walked.to;
      }
      expect({ ok: true, to: point }).toEqual(whole);
    }
  });

  it('names the first fault with its number', () => {
    const shifted = TEST_ENTRIES.map((entry) => ({ ...entry, total: String(BigInt(entry.total) - 100n) }));
    expect(walkEntries(SPOT, CHAIN_START, shifted)).toEqual({ ok: false, fault: 'total_wrong', n: 1n });
    expect(walkEntries(SPOT, CHAIN_START, TEST_ENTRIES.toSpliced(4, 1))).toEqual({
      ok: false,
      fault: 'entry_missing',
      n: 5n,
    });
    expect(walkEntries({ name: 'Spot', asset: 'USDT' }, CHAIN_START, TEST_ENTRIES)).toMatchObject({ n: 1n });
  });

  it('does not verify with any entry left out, altered or shifted, though each step follows', async () => {
    const honest = testStatementFile();
    // An owner who takes 100 out of the first credit and shifts what follows: numbers, times and totals are right.
    const rigged = TEST_ENTRIES.map((entry, index) => ({
      ...entry,
      ...(index === 0 && { amount: String(BigInt(entry.amount) - 100n) }),
      total: String(BigInt(entry.total) - 100n),
    }));
    expect(walkEntries(SPOT, CHAIN_START, rigged).ok).toBe(true);
    const shown = { ...honest, accounts: [honest.accounts[0], { ...SPOT, entries: rigged }] };
    expect(await verifyStatementFile(shown, TEST_KEYS)).toMatchObject({ ok: false, fault: 'head_differs', n: 10n });
    // Signed anew it verifies by itself, and contradicts the head that was kept.
    const [kept, now] = [honest, testStatementFile(rigged)].map(({ signed }) => readStatementHead(signed.body));
    if (!kept || !now) throw new Error('no heads');
    expect(await verifyStatementFile(testStatementFile(rigged), TEST_KEYS)).toMatchObject({ ok: true });
    expect(findContradiction(kept, now)).toEqual({ kind: 'rewritten', name: 'spot', asset: 'USDT', n: 10n });
  });

  it('verifies no file with one changed character', async () => {
    const text = JSON.stringify(testStatementFile());
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length - 1 }),
        fc.constantFrom(...'0123456789abcdefuvX".,:-[]{} '),
        async (place, character) => {
          if (text[place] === character) return;
          let changed: unknown;
          try {
            changed = JSON.parse(text.slice(0, place) + character + text.slice(place + 1));
          } catch {
            return;
          }
          expect((await verifyStatementFile(changed, TEST_KEYS)).ok).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('two heads of one customer', () => {
  const at = (entries: readonly AccountEntry[], atMs: number) => {
    const head = readStatementHead(signedHeads([headAt(SPOT, entries)], { atMs }).body);
    if (head === undefined) throw new Error('no head');
    return head;
  };

  it('agree when both are of one history, whatever their order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }), (one, other) => {
        const heads = [one, other].map((count) => at(TEST_ENTRIES.slice(0, count), 1_000 + count));
        expect(findContradiction(heads[0] as never, heads[1] as never)).toBeNull();
      }),
    );
  });

  it('have one spelling', () => {
    const { body } = signedHeads([headAt(SPOT, TEST_ENTRIES)]);
    expect(readStatementHead(body)).toBeDefined();
    expect(readStatementHead(canonicalText({ ...JSON.parse(body), more: '1' }))).toBeUndefined();
    expect(readStatementHead(body.replace('"spot"', '"Spot"'))).toBeUndefined();
  });
});
