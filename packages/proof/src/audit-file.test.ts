import { describe, expect, it } from 'vitest';
import { type AuditEntry, type AuditFile, isAuditFile, verifyAuditFile, writeAuditHead } from './audit-file.ts';
import { canonicalText } from './canonical.ts';
import { fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import { keyIdOf, signText } from './signature.ts';

const SEED = new Uint8Array(32).fill(7);

function log(count: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  let prev = '00'.repeat(32);
  for (let n = 1; n <= count; n++) {
    const text = canonicalText({ v: 'entry/1', n: String(n), prev, what: 'ดู.profile' });
    prev = toHex(sha256(new Uint8Array([...(fromHex(prev, 32) ?? []), ...utf8Bytes(text)])));
    entries.push({ n: String(n), text, hash: prev });
  }
  return entries;
}

function fileOf(entries: readonly AuditEntry[], seed = SEED): AuditFile {
  const body = writeAuditHead(
    {
      brand: 'Sathorn',
      made_at: '2026-11-23T05:00:00.000Z',
      made_by: 'ploy',
      filter: { who: null, what: 'customer', on: null },
      since: '2026-11-22T00:00:00.000Z',
      until: '2026-11-23T00:00:00.000Z',
      head: { n: '9', hash: 'ab'.repeat(32) },
    },
    entries,
  );
  return { signed: signText(body, seed), entries };
}

describe('an exported part of the operators’ log', () => {
  const whole = log(6);
  const [first, second, third, fourth] = whole as [AuditEntry, AuditEntry, AuditEntry, AuditEntry];
  const file = fileOf([second, third, ...whole.slice(4)]);
  const publicKey = 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c';
  const keys = [{ use: 'receipt' as const, id: keyIdOf(publicKey), public_key: publicKey }];

  it('verifies if it is complete, also if the filter left entries out', async () => {
    expect(await verifyAuditFile(file, keys)).toMatchObject({ ok: true, head: { made_by: 'ploy', count: '4' } });
    expect(await verifyAuditFile(fileOf([]), keys)).toMatchObject({ ok: true, head: { count: '0' } });
    expect(isAuditFile(JSON.parse(JSON.stringify(file)))).toBe(true);
    expect(isAuditFile({ signed: file.signed, entries: [{ n: 1 }] })).toBe(false);
  });

  it.each<[string, AuditFile, string]>([
    ['an entry less', { ...file, entries: file.entries.slice(1) }, 'entries_differ'],
    ['another order', { ...file, entries: file.entries.toReversed() }, 'entries_differ'],
    [
      'a head that was changed',
      { ...file, signed: { ...file.signed, body: file.signed.body.replace('ploy', 'tan') } },
      'hash_differs',
    ],
    ['a key of their own', fileOf([second], new Uint8Array(32).fill(8)), 'key_unknown'],
    ['a text that was changed', fileOf([{ ...second, text: second.text.replace('ดู', 'ลบ') }]), 'entry_broken'],
    ['an entry twice', fileOf([second, second]), 'entry_broken'],
    [
      'neighbours that do not fit',
      fileOf([first, { ...second, text: fourth.text, hash: fourth.hash }]),
      'entry_broken',
    ],
  ])('is refused with %s', async (_what, forged, fault) => {
    expect(await verifyAuditFile(forged, keys)).toMatchObject({ ok: false, fault });
  });
});
