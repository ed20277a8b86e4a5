/**
 * `npx sathorn-verify receipt.json [--kept FILE] [--keys keys.json | --server URL] [--rules <sha256>] [--pin FILE]`
 * `npx sathorn-verify --statement statement.json [--keys keys.json | --server URL]`
 *
 * Checks an option's receipt, a draw of a blind box or the file of a whole box with the code that the app runs. It also
 * checks an `audit….json` that the console exported: its signature, and each entry. With `--statement` it checks a
 * customer's whole statement: that all of its entries lead to the signed heads. Without `--keys` it fetches the
 * published keys from the server; keep a copy of them, so that you need not trust the server later. `--pin` keeps the
 * keys and the newest tick of each coin in a file, and refuses a receipt that contradicts them. Where a server is
 * reached, it fetches all ticks between start and end and links them; `--no-chain` turns that off.
 *
 * `--kept FILE` takes what a customer's device has kept (the app saves it), with a receipt or draw beside it or alone.
 * Without `--keys` and `--server` it works offline with the keys in the file. Where two signed texts contradict each
 * other, `--out FILE` writes both as a file that `npx sathorn-verify FILE` verifies by itself. For two histories of a
 * public log `--keys` is a policy.
 *
 * Exits with 0 if verified, 1 if not, 2 if the check was not possible.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { verifyAuditFile } from '@sathorn/proof';
import { judgeDraw, readDraw } from './judge-draw.ts';
import { judgeReceiptFile } from './judge-receipt-file.ts';
import { judgeStatement } from './judge-statement.ts';
import { readPins, writePins } from './pin-file.ts';
import { printReport } from './print-report.ts';
import { askServer, fetchPatiently } from './public-chain.ts';
import { readAuditFile, readKeys, readReceipt } from './read-files.ts';
import {
  judgeContradiction,
  judgeKept,
  judgeLogContradiction,
  readContradiction,
  readKept,
  readLogContradiction,
  writeContradictions,
} from './verify-kept.ts';

const USAGE =
  'usage: npx sathorn-verify [receipt.json | draw.json | contradiction.json] [--kept kept.json [--out FILE]] [--keys keys.json | --server http://localhost:3000] [--rules <sha256>] [--pin FILE] [--chain | --no-chain]\n   or: npx sathorn-verify --statement statement.json [--keys keys.json | --server http://localhost:3000]';

function stop(line: string): never {
  console.error(line);
  process.exit(2);
}

async function keysText(file: string | undefined, server: string, path = '/api/proof/keys'): Promise<string> {
  if (file !== undefined) return readFileSync(file, 'utf8');
  try {
    const answer = await fetchPatiently(`${server.replace(/\/$/, '')}${path}`);
    return await answer.text();
  } catch {
    return stop(
      `Not checked: no keys could be had from ${server}. Say where the platform is (--server URL), or give keys that you kept (--keys file).`,
    );
  }
}

const { values, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        keys: { type: 'string' },
        server: { type: 'string' },
        rules: { type: 'string' },
        pin: { type: 'string' },
        chain: { type: 'boolean' },
        kept: { type: 'string' },
        out: { type: 'string' },
        statement: { type: 'string' },
      },
    });
  } catch {
    return stop(USAGE);
  }
})();
const [file] = positionals;
if ((file ?? values.kept ?? values.statement) === undefined || positionals.length > 1) stop(USAGE);
const text = file === undefined ? null : readText(file);
const keptText = values.kept === undefined ? null : readText(values.kept);
/** A kept file may also be the only one that is named. */
const kept = readKept(keptText ?? text ?? '');

function readText(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    return stop(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const server = values.server ?? `http://localhost:${process.env.PORT ?? 3000}`;
/** With keys from a file and without a server, the command makes no request. */
const hasOwnKeys = values.keys !== undefined || kept !== undefined;
const isOffline = hasOwnKeys && values.server === undefined && values.chain !== true;
const pinFile = values.pin === undefined ? null : path.resolve(values.pin);

/** The keys that were named; null if none were. */
async function namedKeys() {
  if (values.keys === undefined && values.server === undefined) return null;
  const keys = readKeys(await keysText(values.keys, server));
  return keys ?? stop(`There are no published keys in ${values.keys ?? server}.`);
}

try {
  if (values.statement !== undefined) {
    const keys = readKeys(await keysText(values.keys, server));
    if (keys === undefined) stop(`There are no published keys in ${values.keys ?? server}.`);
    const pins = values.pin === undefined ? null : readPins(path.resolve(values.pin));
    const { isVerified, lines } = await judgeStatement(readText(values.statement), keys, pins?.keys);
    for (const line of lines) console.log(line);
    process.exit(isVerified ? 0 : 1);
  }
  const choices = {
    ...(values.rules !== undefined && { rulesHash: values.rules }),
    isChainWanted: values.chain ?? !isOffline,
    pins: pinFile === null ? null : readPins(pinFile),
    ask: isOffline ? null : askServer(server),
  };
  const contradiction = readContradiction(text ?? '');
  if (contradiction !== undefined) {
    const { isVerified, lines } = await judgeContradiction(contradiction, await namedKeys());
    for (const line of lines) console.log(line);
    process.exit(isVerified ? 0 : 1);
  }
  const ofLog = readLogContradiction(text ?? '');
  if (ofLog !== undefined) {
    const isNamed = values.keys !== undefined || values.server !== undefined;
    const policy = isNamed ? await keysText(values.keys, server, '/log/policy') : null;
    const { isVerified, lines } = await judgeLogContradiction(ofLog, policy);
    for (const line of lines) console.log(line);
    process.exit(isVerified ? 0 : 1);
  }
  if (keptText !== null || kept !== undefined) {
    const found = await judgeKept(kept, keptText === null ? null : text, await namedKeys(), choices);
    for (const line of found.lines) console.log(line);
    for (const name of writeContradictions(values.out, found.contradictions)) console.log(`Written: ${name}`);
    if (pinFile !== null && found.pins !== null) writePins(pinFile, found.pins);
    process.exit(found.isVerified ? 0 : 1);
  }
  if (text === null) stop(USAGE);
  const audit = readAuditFile(text);
  const receipt = readReceipt(text);
  const draw = readDraw(text);
  const keys = readKeys(await keysText(values.keys, server));
  if (draw !== undefined && keys !== undefined) {
    const { isVerified, lines } = await judgeDraw(draw, keys, choices.pins);
    for (const line of lines) console.log(line);
    process.exit(isVerified ? 0 : 1);
  }
  if (audit !== undefined) {
    if (keys === undefined) stop(`There are no published keys in ${values.keys ?? server}.`);
    const found = await verifyAuditFile(audit, keys);
    if (found.ok)
      console.log(
        `Verified. ${found.head.count} entries of the operators' log of ${found.head.brand}, ${found.head.since} to ${found.head.until}, taken by ${found.head.made_by}.`,
      );
    else console.log(`NOT VERIFIED: ${found.fault}${found.at === undefined ? '' : ` at entry ${found.at}`}`);
    process.exit(found.ok ? 0 : 1);
  }
  if (receipt === undefined) {
    // An unreadable receipt counts as not verified.
    console.log('NOT VERIFIED: this is not a receipt.');
    process.exit(1);
  }
  if (keys === undefined) stop(`There are no published keys in ${values.keys ?? server}.`);
  const found = await judgeReceiptFile(receipt, keys, choices);
  const isVerified = found.verdict.verified && found.contradictions.length === 0;
  for (const line of printReport(found, isVerified)) console.log(line);
  if (pinFile !== null && found.pins !== null) writePins(pinFile, found.pins);
  process.exit(isVerified ? 0 : 1);
} catch (error) {
  stop(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
}
