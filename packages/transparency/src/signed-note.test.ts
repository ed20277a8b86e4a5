import { utf8Bytes } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';
import {
  readSignerKey,
  readVerifierKey,
  signerKey,
  type VerifierKey,
  verifierKey,
  writeSignerKey,
  writeVerifierKey,
} from './note-key.ts';
import {
  cosign,
  readNote,
  type SignedNote,
  signNote,
  verifyNote,
  writeNote,
  writeSignatureLine,
} from './signed-note.ts';
import { seedOf } from './testing-log.ts';

/** From C2SP `signed-note`. */
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE_NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
/** From the documentation of Go's `golang.org/x/mod/sumdb/note`. */
const GO_SIGNER = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const GO_VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`;
const GO_LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

const noteOf = (text: string | Uint8Array): SignedNote => {
  const note = readNote(text);
  if (typeof note === 'string') throw new Error(note);
  return note;
};
const keyOf = <Key>(key: Key | undefined): Key => {
  if (key === undefined) throw new Error('no key');
  return key;
};

describe('the published examples', () => {
  it('C2SP’s note is verified by its key', async () => {
    const key = keyOf(readVerifierKey(EXAMPLE_KEY));
    expect(writeVerifierKey(key)).toBe(EXAMPLE_KEY);
    const note = noteOf(EXAMPLE_NOTE);
    expect(note.text).toBe('This is an example message.\n');
    expect(await verifyNote(note, [key])).toEqual([{ key, seconds: null }]);
    expect(writeNote(note)).toBe(EXAMPLE_NOTE);
    expect(noteOf(utf8Bytes(EXAMPLE_NOTE))).toEqual(note);
  });

  it('Go’s key signs the bytes that Go signs', async () => {
    const signer = keyOf(readSignerKey(GO_SIGNER));
    expect(writeSignerKey(signer)).toBe(GO_SIGNER);
    expect(writeVerifierKey(signer)).toBe(GO_VERIFIER);
    expect(writeSignatureLine(signNote(GO_TEXT, signer))).toBe(GO_LINE);
    const key = keyOf(readVerifierKey(GO_VERIFIER));
    expect(await verifyNote(noteOf(`${GO_TEXT}\n${GO_LINE}`), [key])).toHaveLength(1);
  });
});

describe('a note', () => {
  const rows: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['has no signatures', 'text\n', 'signatures_missing'],
    ['has an empty line and nothing after it', 'text\n\n', 'signatures_missing'],
    ['is empty', '', 'signatures_missing'],
    ['ends without a line feed', EXAMPLE_NOTE.slice(0, -1), 'signatures_missing'],
    ['has a carriage return', EXAMPLE_NOTE.replace('message.', 'message.\r'), 'note_not_text'],
    ['has a tab', EXAMPLE_NOTE.replace('an example', 'an\texample'), 'note_not_text'],
    ['has a lone surrogate', EXAMPLE_NOTE.replace('an', '\ud800'), 'note_not_text'],
    ['is not UTF-8', new Uint8Array([0xff, 10, 10, 10]), 'note_not_text'],
    ['has a hyphen for the dash', EXAMPLE_NOTE.replace('—', '-'), 'signature_line_malformed'],
    ['has two blanks', EXAMPLE_NOTE.replace('— ', '—  '), 'signature_line_malformed'],
    ['has a plus in a name', EXAMPLE_NOTE.replace('.com/foo', '.com+foo'), 'signature_line_malformed'],
    ['has a blank of another script in a name', EXAMPLE_NOTE.replace('foo', 'f\u3000o'), 'signature_line_malformed'],
    ['has a signature of less than five bytes', 'text\n\n— a AAAAAA==\n', 'signature_line_malformed'],
    ['has base64 with stray bits', 'text\n\n— a AAAAAAF=\n', 'signature_line_malformed'],
    ['has base64 without padding', 'text\n\n— a AAAAAAA\n', 'signature_line_malformed'],
    ['is larger than any checkpoint', `${'x'.repeat(300_000)}${EXAMPLE_NOTE}`, 'note_too_large'],
    ['has a hundred signatures', `text\n\n${'— a AAAAAAAA\n'.repeat(100)}`, 'note_too_large'],
  ];
  it.each(rows)('that %s is refused', (_, note, fault) => expect(readNote(note)).toBe(fault));

  it('has the text before the last empty line, whatever is in it', () => {
    const text = 'one\n\n— x AAAAAAAA\n\ntwo\n';
    expect(noteOf(`${text}\n— y AAAAAAAA\n`)).toMatchObject({ text, signatures: [{ name: 'y' }] });
    expect(noteOf(`text\n\n${'— a AAAAAAAA\n'.repeat(16)}`).signatures).toHaveLength(16);
  });
});

describe('signatures', () => {
  const signer = signerKey('log.example/a', 'note', seedOf(1));
  const witness = signerKey('witness.example/w', 'cosignature', seedOf(2));
  const text = 'log.example/a\n1\nbjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=\n';
  const judge = (note: SignedNote, ...keys: VerifierKey[]) => verifyNote(note, keys);
  const signed: SignedNote = { text, signatures: [signNote(text, signer), cosign(text, 1_700_000_000, witness)] };

  it('are those of known keys, each with its own time', async () => {
    expect(await judge(signed, signer, witness)).toEqual([
      { key: signer, seconds: null },
      { key: witness, seconds: 1_700_000_000 },
    ]);
    expect(await judge(signed, witness)).toHaveLength(1);
    expect(noteOf(writeNote(signed))).toEqual(signed);
  });

  it('of unknown keys are ignored, also under a known name or a known id', async () => {
    const same = signerKey(signer.name, 'note', seedOf(9));
    expect(await judge(signed, same)).toBe('signature_missing');
    expect(await judge(signed, same, signer)).toHaveLength(1);
    const renamed = { ...signed.signatures[0], name: 'log.example/b' } as SignedNote['signatures'][0];
    expect(await judge({ text, signatures: [renamed] }, signer)).toBe('signature_missing');
  });

  it('of a known key that are wrong refuse the note, beside right ones too', async () => {
    const flipped = (n: number): SignedNote => {
      const [first, second] = signed.signatures.map((each) => ({ ...each, bytes: each.bytes.slice() }));
      if (first === undefined || second === undefined) throw new Error('no signatures');
      const target = n < 64 ? first : second;
      target.bytes[n < 64 ? n : n - 64] = (target.bytes[n < 64 ? n : n - 64] ?? 0) ^ 1;
      return { text, signatures: [first, second] };
    };
    // Each byte of both: the last are the time that the witness states.
    for (const n of [0, 31, 32, 63, 64, 71, 72, 103, 135])
      expect([n, await judge(flipped(n), signer, witness)]).toEqual([n, 'signature_wrong']);
    const [first] = signed.signatures;
    const wrong = flipped(0).signatures[0];
    if (first === undefined || wrong === undefined) throw new Error('no signatures');
    expect(await judge({ text, signatures: [first, wrong] }, signer)).toBe('signature_wrong');
    expect(await judge({ text, signatures: [{ ...first, bytes: first.bytes.slice(1) }] }, signer)).toBe(
      'signature_wrong',
    );
    expect(await judge({ ...signed, text: text.replace('1\n', '2\n') }, signer)).toBe('signature_wrong');
  });

  it('of one kind are not taken for the other', async () => {
    const both = signerKey(signer.name, 'cosignature', seedOf(1));
    expect(both.id).not.toBe(signer.id);
    // The note's own signature under the id of a cosignature, with a time in front of it.
    const [first] = signed.signatures;
    if (first === undefined) throw new Error('no signature');
    const timed = new Uint8Array([0, 0, 0, 0, 0x65, 0x53, 0xf1, 0, ...first.bytes]);
    expect(await judge({ text, signatures: [{ ...first, id: both.id, bytes: timed }] }, both)).toBe('signature_wrong');
    expect(() => signNote(text, both)).toThrow(TypeError);
    expect(() => cosign(text, 1, signer)).toThrow(TypeError);
  });

  it('that state the time 0 state nothing', async () => {
    expect(await judge({ text, signatures: [cosign(text, 0, witness)] }, witness)).toBe('signature_wrong');
  });
});

describe('a key in one line', () => {
  const key = signerKey('log.example/a', 'cosignature', seedOf(1));
  const line = writeVerifierKey(key);
  it('is read as it was written, in both halves', () => {
    expect(readVerifierKey(line)).toEqual(verifierKey(key.name, key.kind, key.publicKey));
    expect(readSignerKey(writeSignerKey(key))).toEqual(key);
  });
  const [name = '', id = '', base64 = ''] = line.split('+');
  const rest = line.slice(name.length + id.length + 2);
  const rows: readonly (readonly [string, string])[] = [
    ['another id', `${name}+${id === '00000000' ? '00000001' : '00000000'}+${rest}`],
    ['another name', line.replace('log.', 'lag.')],
    ['a name with a blank', line.replace('log.', 'log ')],
    ['no name', line.slice(name.length)],
    ['an id in upper case', `${name}+${id.toUpperCase()}+${rest}`],
    ['a kind that nothing here signs', `${name}+${id}+${toBase64(new Uint8Array([6, ...key.publicKey]))}`],
    ['a key that is too short', `${name}+${id}+${toBase64(new Uint8Array([4, ...key.publicKey.slice(1)]))}`],
    ['base64 without an end', `${name}+${id}+${base64.slice(0, -1)}`],
    ['a blank behind it', `${line} `],
    ['a secret in front of it', writeSignerKey(key)],
  ];
  it.each(rows)('with %s is refused', (_, text) => expect(readVerifierKey(text)).toBeUndefined());
  it('is secret only with the words in front', () => {
    expect(readSignerKey(line)).toBeUndefined();
    expect(readSignerKey(writeSignerKey(key).replace('PRIVATE+KEY+', ''))).toBeUndefined();
    expect(() => signerKey('a b', 'note', seedOf(1))).toThrow(TypeError);
  });
});

describe('base64', () => {
  it('has one spelling', () => {
    for (let length = 0; length < 70; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, n) => (n * 37) % 256);
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    }
    for (const text of ['AA', 'AA=', 'AB==', 'AAB=', 'A===', '====', 'AA==AA==', 'A A=', 'AA-_', 'AAA\n'])
      expect([text, fromBase64(text)]).toEqual([text, undefined]);
  });
});
