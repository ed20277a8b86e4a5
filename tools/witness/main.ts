/**
 * `npx sathorn-witness init --folder DIR --name witness.example/w1`
 * `npx sathorn-witness --folder DIR [--policy FILE] [--log VERIFIER-KEY]… [--port 7380] [--host 127.0.0.1]`
 *
 * A witness of transparency logs (C2SP `tlog-witness`, `cosignature/v1`). It cosigns a checkpoint of a log that it
 * knows if the log only grew since the last one, and nothing else. It needs no account, no database and no code of the
 * platform's server, and belongs on a machine of somebody else than the log's.
 *
 * The folder contains its key (`key`, for its owner only) and what it has cosigned (`state.json`). Both belong
 * together: never copy the key alone, and never run it on an older copy of the state. It prints the line with which a
 * brand names this witness in its policy. `--policy` takes such a file, of which only the lines `log` are used.
 *
 * Exits with 2 if it can't start. A program that forked it takes it along when it ends.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readVerifierKey, readWitnessPolicy, type VerifierKey, writeVerifierKey } from '@sathorn/transparency';
import { serveWitness } from './serve-witness.ts';
import { openWitness } from './witness.ts';
import { makeWitnessFolder, openWitnessFolder } from './witness-folder.ts';

const USAGE = `usage: npx sathorn-witness init --folder DIR --name witness.example/w1
   or: npx sathorn-witness --folder DIR [--policy FILE] [--log VERIFIER-KEY]… [--port 7380] [--host 127.0.0.1]`;

const policyLine = (key: VerifierKey): string => `witness ${key.name} ${writeVerifierKey(key)}`;

function stop(line: string): never {
  console.error(line);
  process.exit(2);
}

const { values, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        name: { type: 'string' },
        policy: { type: 'string' },
        log: { type: 'string', multiple: true },
        port: { type: 'string', default: '7380' },
        host: { type: 'string', default: '127.0.0.1' },
      },
    });
  } catch {
    return stop(USAGE);
  }
})();

function logsOf({ policy, log = [] }: { policy?: string | undefined; log?: string[] | undefined }): VerifierKey[] {
  const named = log.map((text) => {
    const key = readVerifierKey(text);
    return key?.kind === 'note' ? key : stop(`${text} is no key of a log`);
  });
  if (policy === undefined) return named;
  const read = readWitnessPolicy(readFileSync(policy, 'utf8'));
  if ('fault' in read) return stop(`${policy}: ${read.fault} in line ${read.line}`);
  return [...named, ...read.logs.map(({ key }) => key)];
}

try {
  const [command, ...others] = positionals;
  if (values.folder === undefined || others.length > 0 || (command !== undefined && command !== 'init')) stop(USAGE);
  const folder = path.resolve(values.folder);
  if (command === 'init') {
    if (values.name === undefined) stop(USAGE);
    const key = makeWitnessFolder(folder, values.name);
    console.log(policyLine(key));
  } else {
    const port = Number(values.port);
    if (!/^[0-9]{1,5}$/.test(values.port) || port > 65_535) stop('--port is a number from 0 to 65535');
    const logs = logsOf(values);
    if (logs.length === 0) stop('no log is named: --log VERIFIER-KEY or --policy FILE');
    const { key, disk } = openWitnessFolder(folder);
    const witness = openWitness({ key, logs, disk, now: () => Math.floor(Date.now() / 1_000) });
    const server = serveWitness(witness, (error) => console.error('sathorn-witness: not stored:', error));
    server.on('error', (error) => stop(`sathorn-witness: ${error.message}`));
    process.on('disconnect', () => process.exit(0));
    server.listen(port, values.host, () => {
      const { address, port: bound } = server.address() as AddressInfo;
      console.log(policyLine(key));
      console.log(`${key.name} cosigns ${logs.map(({ name }) => name).join(', ')} at http://${address}:${bound}`);
    });
    // A request that is under way has stored its checkpoint or has not; either is right.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  }
} catch (error) {
  stop(`sathorn-witness: ${error instanceof Error ? error.message : String(error)}`);
}
