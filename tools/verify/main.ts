/**
 * `npx sathorn-verify receipt.json [--keys keys.json | --server URL] [--rules <sha256>] [--pin FILE] [--chain]`
 *
 * Checks an option's receipt, a draw of a blind box or the file of a whole box with the code that the app runs. It also
 * checks an `audit….json` that the console exported: its signature, and each entry. Without `--keys` it fetches the
 * published keys from the server; keep a copy of them, so that you need not trust the server later. `--pin` keeps the
 * keys and the newest tick of each coin in a file, and refuses a receipt that contradicts them. `--chain` fetches all
 * ticks between start and end and links them. Exits with 0 if verified, 1 if not, 2 if the check was not possible.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { verifyAuditFile } from '@sathorn/proof';
import { judgeDraw, readDraw } from './judge-draw.ts';
import { judgeReceiptFile } from './judge-receipt-file.ts';
import { readPins, writePins } from './pin-file.ts';
import { printReport } from './print-report.ts';
import { askServer, fetchPatiently } from './public-chain.ts';
import { readAuditFile, readKeys, readReceipt } from './read-files.ts';

const USAGE =
  'usage: npx sathorn-verify receipt.json [--keys keys.json | --server http://localhost:3000] [--rules <sha256>] [--pin FILE] [--chain]';

function stop(line: string): never {
  console.error(line);
  process.exit(2);
}

async function keysText(file: string | undefined, server: string): Promise<string> {
  if (file !== undefined) return readFileSync(file, 'utf8');
  try {
    const answer = await fetchPatiently(`${server.replace(/\/$/, '')}/api/proof/keys`);
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
      options: {
        keys: { type: 'string' },
        server: { type: 'string' },
        rules: { type: 'string' },
        pin: { type: 'string' },
        chain: { type: 'boolean', default: false },
      },
    });
  } catch {
    return stop(USAGE);
  }
})();
const [file] = positionals;
if (file === undefined || positionals.length > 1) stop(USAGE);

const server = values.server ?? `http://localhost:${process.env.PORT ?? 3000}`;
/** With keys from a file and without a server, the command makes no request. */
const isOffline = values.keys !== undefined && values.server === undefined && !values.chain;
try {
  const text = readFileSync(file, 'utf8');
  const audit = readAuditFile(text);
  const receipt = readReceipt(text);
  const draw = readDraw(text);
  const keys = readKeys(await keysText(values.keys, server));
  if (draw !== undefined && keys !== undefined) {
    const { isVerified, lines } = await judgeDraw(
      draw,
      keys,
      values.pin === undefined ? null : readPins(path.resolve(values.pin)),
    );
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
  const pinFile = values.pin === undefined ? null : path.resolve(values.pin);
  const found = await judgeReceiptFile(receipt, keys, {
    ...(values.rules !== undefined && { rulesHash: values.rules }),
    isChainWanted: values.chain,
    pins: pinFile === null ? null : readPins(pinFile),
    ask: isOffline ? null : askServer(server),
  });
  const isVerified = found.verdict.verified && found.contradictions.length === 0;
  for (const line of printReport(found, isVerified)) console.log(line);
  if (pinFile !== null && found.pins !== null) writePins(pinFile, found.pins);
  process.exit(isVerified ? 0 : 1);
} catch (error) {
  stop(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
}
