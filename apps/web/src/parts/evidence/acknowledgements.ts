import {
  type AcknowledgedThing,
  readProofKeys,
  type SignedAcknowledgements,
  signedAcknowledgements,
  thingsIn,
} from '@sathorn/api';
import { callServer, type HeardAnswer } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import type { TreeSignedText } from '@sathorn/proof';
import * as v from 'valibot';
import { type EvidenceFinding, reportFindings } from './evidence-findings.ts';
import { readFirstKeyIds } from './first-key-ids.ts';
import { keyOf, readKeptAcknowledgements, writeKeptAcknowledgements } from './kept-acknowledgements.ts';
import { restorationThatLost } from './restoration-that-lost.ts';

const loadProof = () =>
  Promise.all([
    import('@sathorn/proof'),
    import('./follow-acknowledgements.ts'),
    import('./pinned-keys.ts'),
    callServer(readProofKeys, {}),
  ]);

async function follow({ data, route, acknowledged: beside }: HeardAnswer, customer: string): Promise<void> {
  const parsed = v.safeParse(v.optional(signedAcknowledgements), beside);
  const acknowledged: SignedAcknowledgements | null = (parsed.success && parsed.output) || null;
  const things = thingsIn(route, data);
  const before = await readKeptAcknowledgements(customer);
  const isKnown = ({ about, id }: AcknowledgedThing): boolean => before[keyOf({ about, id })] !== undefined;
  // Most lists show things of which this device has kept nothing, and then the proof code need not be loaded.
  if (acknowledged === null && !things.some(isKnown)) return;
  const [{ verifyAcknowledgement, readAcknowledgement }, { followAcknowledgements }, { judgePublishedKeys }, keys] =
    await loadProof();
  if (!keys.ok) return;
  const { trusted } = await judgePublishedKeys(keys.data.keys, readFirstKeyIds());
  const { kept, findings } = await followAcknowledgements(
    before,
    { things, acknowledged },
    {
      // Under another customer's seal nothing could be compared.
      verify: (text, { salt }) => verifyAcknowledgement(text, trusted, { salt, customer }),
      nowMs: () => Date.now(),
    },
  );
  const explained: Record<string, TreeSignedText> = { ...kept };
  const unexplained: EvidenceFinding[] = [];
  for (const finding of findings) {
    const atMs = finding.kept === null ? undefined : readAcknowledgement(finding.kept.body)?.atMs;
    const restoration = atMs === undefined ? null : await restorationThatLost(atMs);
    // Without an answer it is unknown whether a restoration explains it, so the next look asks again.
    if (restoration === undefined) return;
    if (restoration !== null) delete explained[finding.id];
    else unexplained.push(finding);
  }
  await writeKeptAcknowledgements(customer, explained);
  if (unexplained.length === 0) return;
  await reportFindings(unexplained);
  const { reportContradictions } = await import('./report-contradictions.ts');
  await reportContradictions(findings.flatMap(({ signed }) => signed ?? []));
}

let following = Promise.resolve();

/** The answers with fees of contracts. */
const CHARGING = /^(?:GET|POST) \/coin\/trans\/(?:add|info|rate)$/;

/** Follows the answers of this visit, one after the other. What fails is left to the next answer about its thing. */
export function followAnswer(answer: HeardAnswer): void {
  if (CHARGING.test(answer.route))
    void import('./follow-charges.ts').then(({ followCharges }) => followCharges(answer)).catch(() => undefined);
  const customer = useSession.getState().user?.id;
  if (customer === undefined || thingsIn(answer.route, answer.data).length === 0) return;
  following = following.then(() => follow(answer, customer)).catch(() => undefined);
}
