import { readLoggedHeads, reportCheckpoint } from '@sathorn/api';
import { callServer, REQUEST_TIMEOUT_MS } from '@sathorn/app/client';
import { isSignedIn } from '@sathorn/app/session';
import { serverNowMs } from '@sathorn/app/stream';
import { brand } from '#brand';
import { reportFindings } from './evidence-findings.ts';
import { openEvidenceStore } from './evidence-store.ts';
import type { JudgedLog, KeptLog, LogFinding } from './judge-log.ts';
import type { LogState, SeenLog } from './seen-log.ts';

const KEPT = 'public-log';
/**
 * A server process may lag behind, and a file may be on its way. So what no file proves counts only after several
 * looks.
 */
const TRIES = 3;
const TRY_EVERY_MS = 5_000;
export const LOOK_EVERY_MS = 60_000;

/** What this device knows of the platform's public log. */
export interface LogView {
  readonly state: LogState;
  /** What it saw last; null if it has seen none. */
  readonly seen: SeenLog | null;
  /** Whether it includes the signed-in customer's own entries; null while that is not known. */
  readonly own: 'included' | 'missing' | null;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A device's storage may hold anything. */
async function readKept(): Promise<KeptLog | null> {
  const { policy, note, seen } = ((await openEvidenceStore().read(KEPT)) ?? {}) as Partial<KeptLog>;
  const isKept = typeof policy === 'string' && typeof note === 'string' && typeof seen?.entries === 'number';
  return isKept ? { policy, note, seen } : null;
}

/** Null where the log has nothing. Throws if the server is out of reach or fails, which is no answer. */
async function readLog(path: string, options?: RequestInit): Promise<Response | null> {
  const answer = await fetch(`${brand.baseUrl}/log/${path}`, {
    ...options,
    credentials: 'omit',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  if (answer.status === 404 || answer.status === 204) return null;
  if (!answer.ok) throw new Error(`the log answered ${answer.status}`);
  return answer;
}

const readText = async (path: string): Promise<string | null> =>
  (await (await readLog(path, { cache: 'no-store' }))?.text()) ?? null;

async function readFile(path: string): Promise<Uint8Array | undefined> {
  const answer = await readLog(path);
  return answer === null ? undefined : new Uint8Array(await answer.arrayBuffer());
}

/** The code of the judge is loaded only where there is a log. */
async function lookOnce(kept: KeptLog | null): Promise<JudgedLog> {
  const policy = await readText('policy');
  const note = policy === null ? null : await readText('checkpoint');
  if (kept === null && policy === null) return { state: 'none', keep: null, findings: [] };
  // A log that has just begun has no checkpoint yet.
  if (kept === null && note === null) return { state: 'unread', keep: null, findings: [] };
  const { judgeLog, findingOfKept } = await import('./judge-log.ts');
  const nowMs = serverNowMs();
  if (policy !== null && note !== null) return judgeLog({ kept, policy, note, readFile, nowMs });
  const gone = kept === null ? [] : [findingOfKept('gone', kept, '', nowMs)];
  return { state: 'differs', keep: null, findings: gone };
}

/** Shows the platform what this device saw; it answers whether that is in its history. */
async function handIn(kept: KeptLog): Promise<LogFinding | null> {
  const answer = await callServer(reportCheckpoint, { note: kept.note });
  if (!answer.ok || answer.data.is_in_history !== false) return null;
  return (await import('./judge-log.ts')).findingOfKept('disowned', kept, '', serverNowMs());
}

/** What the platform said about it in this visit. */
let handedIn: ReturnType<typeof handIn> | undefined;

/** An entry is in the log some seconds after its head was signed. */
const OWN_LATE_MS = 10 * 60_000;

/** Looks for the customer's own heads in the log that this device has accepted. */
async function lookForOwn({ note }: KeptLog): Promise<LogView['own']> {
  if (!isSignedIn()) return null;
  const { checkOwnChain, useOwnChain } = await import('./own-chain.ts');
  await checkOwnChain();
  const { chain } = useOwnChain.getState();
  if (!chain?.isWhole || chain.walked.length === 0) return null;
  const logged = await callServer(readLoggedHeads, {});
  if (!logged.ok) return null;
  const [{ openTiles, checkpointOf }, { areHeadsLogged }, { readStatementHead }] = await Promise.all([
    import('./judge-log.ts'),
    import('./judge-own-heads.ts'),
    import('@sathorn/proof'),
  ]);
  const checkpoint = checkpointOf(note);
  if (checkpoint === null) return null;
  const { walked, statement } = chain;
  if (await areHeadsLogged({ walked, logged: logged.data, checkpoint, read: openTiles(readFile) })) return 'included';
  const signedMs = readStatementHead(statement.signed.body)?.atMs ?? 0;
  return serverNowMs() - signedMs > OWN_LATE_MS ? 'missing' : null;
}

async function look(): Promise<LogView> {
  const kept = await readKept();
  try {
    let judged = await lookOnce(kept);
    for (let n = 1; n < TRIES && judged.findings.some(({ contradiction }) => contradiction === null); n += 1) {
      await wait(TRY_EVERY_MS);
      judged = await lookOnce(kept);
    }
    const { state, keep, findings } = judged;
    if (keep !== null) await openEvidenceStore().write(KEPT, keep);
    if (keep !== null) handedIn ??= handIn(keep);
    const disowned = (await handedIn) ?? null;
    await reportFindings(disowned === null ? findings : [...findings, disowned]);
    const own = keep === null || state === 'differs' ? null : await lookForOwn(keep);
    return { state: disowned === null ? state : 'differs', seen: (keep ?? kept)?.seen ?? null, own };
  } catch {
    return { state: 'unread', seen: kept?.seen ?? null, own: null };
  }
}

let looking: Promise<LogView> | undefined;
let lookedAt = 0;

/** Looks at the log, at most once a minute; in between it returns what was seen then. */
export function lookAtLog(): Promise<LogView> {
  if (looking !== undefined && Date.now() - lookedAt < LOOK_EVERY_MS) return looking;
  // While a look is under way, there is no other.
  lookedAt = Number.POSITIVE_INFINITY;
  looking = look().finally(() => {
    lookedAt = Date.now();
  });
  return looking;
}
