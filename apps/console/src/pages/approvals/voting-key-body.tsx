import { useEffect, useState } from 'react';
import { CustomerSeesNote, Facts } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import type { BodyProps } from './bodies.tsx';
import { codeListOf, textFieldOf } from './contents.ts';
import { useApprovalTexts } from './texts.ts';

export default function VotingKeyBody({ shown: { content } }: BodyProps) {
  const { t, code } = useTexts();
  const { say } = useApprovalTexts();
  const party = textFieldOf(content, 'party');
  const key = textFieldOf(content, 'key');
  const [id, setId] = useState('');
  useEffect(() => void import('@sathorn/proof').then(({ voterIdOf }) => setId(voterIdOf(key))), [key]);
  return (
    <>
      <Facts
        facts={[
          [t('field.kind'), code('voter', textFieldOf(content, 'kind'))],
          // People compare the id, which the owner's page shows too.
          [
            t('field.key'),
            <span key="key" className="mono break">
              {id}
            </span>,
          ],
          ...(party === '' ? [] : [[t('field.party'), party] as const]),
          [
            t('field.roles'),
            codeListOf(content, 'roles')
              .map((role) => code('role', role))
              .join(', '),
          ],
        ]}
      />
      <CustomerSeesNote>{say('seen.nothing')}</CustomerSeesNote>
    </>
  );
}
