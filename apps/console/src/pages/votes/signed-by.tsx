import type { ApprovalView } from '@sathorn/api';
import { Tag } from '../../parts/parts.tsx';
import { useVoteTexts } from './texts.ts';

/** Shows which kind of key signed a vote, and warns when it is unsigned or a demo's. */
export function SignedBy({ vote: { signed_by: kind } }: { vote: Pick<ApprovalView['votes'][number], 'signed_by'> }) {
  const { say, word } = useVoteTexts();
  if (kind === null) return <Tag look="warn">{say('unsigned')}</Tag>;
  if (kind === 'demo') return <Tag look="warn">{say('signed_by_demo')}</Tag>;
  return <Tag look="ok">{say('signed_by', { kind: word('kind', kind) })}</Tag>;
}
