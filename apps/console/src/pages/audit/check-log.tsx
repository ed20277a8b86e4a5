import { listEntries, readLogHead } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { Button, ProgressBar } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { Tag } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { checkEntries, GENESIS, type VerifiedUpTo } from './check-chain.ts';

interface Checked {
  readonly state: 'running' | 'whole' | 'broken';
  readonly checked: number;
  readonly of: number;
  readonly at?: string;
}

/** Reads the whole log and recomputes every hash in this browser, so that the server need not be trusted. */
async function checkWhole(tell: (checked: Checked) => void): Promise<void> {
  const head = await callServer(readLogHead, {});
  if (!head.ok) return tell({ state: 'broken', checked: 0, of: 0 });
  const of = Number(head.data.n);
  let links: VerifiedUpTo = GENESIS;
  let since = '0';
  while (links.n < of) {
    tell({ state: 'running', checked: links.n, of });
    const answer = await callServer(listEntries, { since });
    if (!answer.ok || answer.data.items.length === 0) return tell({ state: 'broken', checked: links.n, of });
    const next = await checkEntries(links, answer.data.items);
    if (next === null || (next.n >= of && !next.hashes.has(head.data.hash)))
      return tell({ state: 'broken', checked: links.n, of });
    links = next;
    since = String(next.n);
  }
  tell({ state: 'whole', checked: of, of, at: new Date().toISOString() });
}

/** The button that verifies the whole chain, with its progress and result. */
export function CheckLog() {
  const { t } = useTexts();
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = () => void checkWhole(setChecked);
  useKeys({ c: check });
  return (
    <>
      <Button size="small" look="soft" busy={checked?.state === 'running'} onClick={check}>
        {t('audit.check')} <kbd>c</kbd>
      </Button>
      {checked?.state === 'running' && (
        <ProgressBar share={checked.of === 0 ? 0 : checked.checked / checked.of} label={t('audit.checking')} />
      )}
      {checked?.state === 'whole' && <Tag look="ok">{t('audit.whole', { n: checked.of })}</Tag>}
      {checked?.state === 'broken' && <Tag look="danger">{t('audit.broken', { n: checked.checked + 1 })}</Tag>}
    </>
  );
}
