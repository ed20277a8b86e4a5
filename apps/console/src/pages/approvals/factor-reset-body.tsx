import { readFactorReset } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { CustomerSeesNote } from '../../parts/parts.tsx';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { FactorResetFacts } from '../customers/factor-reset.tsx';
import type { BodyProps } from './bodies.tsx';
import { useApprovalTexts } from './texts.ts';

/** Every read of the evidence is logged, so it is read only once. */
export default function FactorResetBody({ shown: { subject }, isRestated }: BodyProps) {
  const { t } = useTexts();
  const { say } = useApprovalTexts();
  const query = useRead(readFactorReset, { id: subject }, { freshForMs: 600_000 });
  return (
    <>
      {!isRestated && <p className="note">{t('reset.rule')}</p>}
      <ReadGate query={query} rows={8}>
        {(reset) => <FactorResetFacts reset={reset} />}
      </ReadGate>
      <CustomerSeesNote>{say('seen.factor_reset')}</CustomerSeesNote>
    </>
  );
}
