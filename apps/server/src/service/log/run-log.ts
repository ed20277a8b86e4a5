import { readFileSync } from 'node:fs';
import { readWitnessPolicy, writeVerifierKey } from '@sathorn/transparency';
import { type Connection, openDatabase } from '../../platform/database/index.ts';
import { askWitness, hearWitness } from './ask-witness.ts';
import { startDemoWitnesses } from './demo-witnesses.ts';
import { keepLog, openLogKeeper } from './keep-log.ts';
import { openLogFolder } from './log-folder.ts';

/** What the log's process needs: its own login and folder, and nothing else. */
export interface LogInput {
  readonly log: Connection;
  /** The folder of the log's key. */
  readonly folder: string;
  /** The host name that customers use, with which the log's name begins. */
  readonly host: string;
  /** The file that names the witnesses and the quorum; null for a demonstration, which starts its own. */
  readonly policyFile: string | null;
}

const CONNECTIONS = 3;

/** Readers verify cosignatures and ask no witness, so the published policy has no addresses of witnesses. */
const publicPolicyOf = (text: string, logLine: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(log\s|#)/.test(line));
  const named = lines.map((line) => line.replace(/^(\s*witness\s+\S+\s+\S+)\s.*$/, '$1'));
  return `${[logLine, ...named].join('\n')}\n`;
};

/** Keeps the public log. This is the only process that reads the log's key. Returns a function that stops it. */
export async function runLog(
  { log, folder: place, host, policyFile }: LogInput,
  alarm: (what: string) => void,
  onFault: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const folder = openLogFolder(place, host);
  const demo = policyFile === null ? await startDemoWitnesses(place, folder.key, alarm) : null;
  const text = demo === null ? readFileSync(policyFile ?? '', 'utf8') : demo.policy;
  const policy = readWitnessPolicy(text);
  if ('fault' in policy) throw new Error(`${policyFile}: ${policy.fault} in line ${policy.line}`);
  const database = openDatabase(log, { connections: CONNECTIONS, onFault });
  const placed = <Witness extends { readonly name: string; readonly url: string | null }>(witness: Witness): Witness =>
    demo === null ? witness : { ...witness, url: demo.urlOf(witness.name) };
  const keeper = openLogKeeper({
    database,
    folder,
    policy,
    policyText: publicPolicyOf(text, `log ${writeVerifierKey(folder.key)}`),
    ask: (witness, body) => askWitness(placed(witness), body),
    hear: (witness, origin) => hearWitness(placed(witness), origin),
    now: () => new Date(),
  });
  const ending = new AbortController();
  const keeping = keepLog(keeper, alarm, ending.signal);
  return async () => {
    ending.abort();
    await keeping;
    await Promise.all([database.close(), demo?.stop()]);
  };
}
