import { readFileSync } from 'node:fs';
import { readWitnessPolicy, type WitnessPolicy, writeVerifierKey } from '@sathorn/transparency';
import { type Connection, openDatabase } from '../platform/database/index.ts';
import { askWitness, hearWitness } from '../service/public-log/ask-witness.ts';
import { startDemoWitnesses } from '../service/public-log/demo-witnesses.ts';
import { keepLog, openLogKeeper } from '../service/public-log/keep-log.ts';
import { openLogFolder } from '../service/public-log/log-folder.ts';
import type { RolesDependencies, RunningRoles } from './start-roles.ts';

/** The data for the log's process: its own login and folder, and nothing else. */
export interface LogInput {
  readonly log: Connection;
  /** The folder of the log's key. */
  readonly folder: string;
  /** The host name that customers use, with which the log's name begins. */
  readonly host: string;
  /** A policy that names the witnesses and the quorum; null for a demonstration's own witnesses. */
  readonly policyFile: string | null;
}

const CONNECTIONS = 3;

function policyOf(text: string, from: string): WitnessPolicy {
  const policy = readWitnessPolicy(text);
  if ('fault' in policy) throw new Error(`${from}: ${policy.fault} in line ${policy.line}`);
  return policy;
}

/** The policy without addresses: whoever reads the log verifies cosignatures, and asks no witness. */
const withoutAddresses = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^(\s*witness\s+\S+\s+\S+)\s+\S+\s*$/, '$1'))
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('log'))
    .join('\n');

/** Keeps the public log in this process, the only one that reads the log's key. */
export async function startLog(
  { log, folder: place, host, policyFile }: LogInput,
  { operatorLog: { print, report }, shutdown }: Pick<RolesDependencies, 'operatorLog' | 'shutdown'>,
): Promise<Pick<RunningRoles, 'url' | 'ready' | 'stopSelling'>> {
  const alarm = (what: string): void => print(`alarm: ${what}`);
  const folder = openLogFolder(place, host);
  const demo = policyFile === null ? await startDemoWitnesses(place, folder.key, alarm) : null;
  if (demo !== null) shutdown.add('witnesses', demo.stop);
  const text = demo?.policy ?? readFileSync(policyFile ?? '', 'utf8');
  const logLine = `log ${writeVerifierKey(folder.key)}`;
  const policyText = `${[logLine, withoutAddresses(text)].join('\n')}\n`;
  const policy = policyOf(text, policyFile ?? 'the demonstration’s policy');
  const database = openDatabase(log, {
    connections: CONNECTIONS,
    onFault: (error) => report(error, 'background'),
  });
  shutdown.add('database', database.close);
  const placed = <Witness extends { readonly name: string; readonly url: string | null }>(witness: Witness): Witness =>
    demo === null ? witness : { ...witness, url: demo.urlOf(witness.name) };
  const keeper = openLogKeeper({
    database,
    folder,
    policy,
    policyText,
    ask: (witness, body) => askWitness(placed(witness), body),
    hear: (witness, origin) => hearWitness(placed(witness), origin),
    now: () => new Date(),
  });
  const ending = new AbortController();
  const keeping = keepLog(keeper, alarm, ending.signal);
  shutdown.add('log', () => {
    ending.abort();
    return keeping;
  });
  return { url: '', ready: Promise.resolve(), stopSelling: () => undefined };
}
