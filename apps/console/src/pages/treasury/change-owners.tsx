import { changeTreasuryOwners, type ResultOf, type readTreasury } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, Select } from '../../parts/field.tsx';
import { Facts, GroupedText } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import type { TreasuryView } from './run-hash.ts';
import { useTreasuryTexts } from './texts.ts';

export interface AskedChange {
  readonly kind: 'add' | 'remove' | 'swap';
  /** Null for `add`. */
  readonly leaving: TreasuryView['owners'][number] | null;
}

/** Asks who comes, and opens the run that the owners sign. */
export function ChangeOwners({
  asked: { kind, leaving },
  candidates,
  onClose,
}: {
  asked: AskedChange;
  candidates: ResultOf<typeof readTreasury>['candidates'];
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { say } = useTreasuryTexts();
  const change = useAct(changeTreasuryOwners);
  const [operator, setOperator] = useState(candidates[0]?.work_name ?? '');
  const [cold, setCold] = useState('');
  const isCold = operator === '';
  const send = async () => {
    const coming = kind === 'remove' ? {} : isCold ? { cold } : { operator };
    const answer = await change.run({ change: kind, ...(leaving && { leaving: leaving.address }), ...coming });
    if (answer.ok) onClose();
  };
  return (
    <Dialog label={say(`change.${kind}`)} onClose={onClose}>
      <div className="bd col">
        <p>{say('change.ask')}</p>
        {leaving && (
          <Facts
            facts={[
              [
                say('leaving'),
                <span key="leaving">
                  {leaving.operator?.work_name} <GroupedText text={leaving.address} />
                </span>,
              ],
            ]}
          />
        )}
        {kind !== 'remove' && (
          <Select
            label={say('coming')}
            value={operator}
            options={[...candidates.map(({ work_name: name }) => [name, name] as const), ['', say('somebody')]]}
            onChange={({ target }) => setOperator(target.value)}
          />
        )}
        {kind !== 'remove' && isCold && (
          <Field
            label={say('cold.address')}
            value={cold}
            dir="ltr"
            fault={change.refused?.fields.cold}
            onChange={({ target }) => setCold(target.value.trim())}
          />
        )}
        <RefusalNote refused={change.refused} />
        <div className="row">
          <Button busy={change.isBusy} onClick={() => void send()}>
            {say('start')}
          </Button>
          <Button look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
