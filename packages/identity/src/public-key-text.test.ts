import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { readPublicKeyText } from './public-key-text.ts';

const { publicKey } = generateKeyPairSync('ed25519');
const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
const spki = publicKey.export({ format: 'der', type: 'spki' });

it.each([
  ['PEM', pem],
  ['PEM with the line ends of Windows', pem.replaceAll('\n', '\r\n')],
  ['PEM on one line', pem.replaceAll('\n', ' ')],
  ['the base64 of PEM', spki.toString('base64')],
  ['hex', bytes.toString('hex')],
  [
    'hex in capitals, in parts',
    bytes
      .toString('hex')
      .toUpperCase()
      .replace(/(.{16})/g, '$1 '),
  ],
  ['base64', bytes.toString('base64')],
])('reads %s', (_form, text) => {
  expect(readPublicKeyText(text)).toBe(bytes.toString('hex'));
});

const other = (type: 'x25519' | 'ec') =>
  (type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync(type)).publicKey
    .export({ format: 'pem', type: 'spki' })
    .toString();
it.each([
  ['nothing', ''],
  ['31 bytes', bytes.subarray(1).toString('hex')],
  ['33 bytes', `${bytes.toString('base64')}AA==`],
  ['a key for key agreement', other('x25519')],
  ['a key of another curve', other('ec')],
  ['a private key', generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
  ['a key of OpenSSH', `ssh-ed25519 ${bytes.toString('base64')} me@home`],
  ['a word', 'my key'],
])('does not read %s', (_what, text) => {
  expect(readPublicKeyText(text)).toBeNull();
});
