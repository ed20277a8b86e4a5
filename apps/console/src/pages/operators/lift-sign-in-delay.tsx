import { type ListedOperator, liftSignInDelay } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { useVoteTexts } from '../votes/texts.ts';

/** Shows until when strangers' guesses delay this operator's sign-ins, and a button that ends the delay. */
export function LiftSignInDelay({ person }: { person: Pick<ListedOperator, 'id' | 'work_name' | 'delayed_until'> }) {
  const { say } = useVoteTexts();
  const { dateTime } = useTexts();
  const lift = useAct(liftSignInDelay);
  const [isLifting, setLifting] = useState(false);
  if (person.delayed_until === null) return null;
  return (
    <div className="note" data-look="warn">
      <p>
        {say('lifted_until')} {dateTime(person.delayed_until)}
      </p>
      <Button size="small" look="soft" onClick={() => setLifting(true)}>
        {say('lift')}
      </Button>
      {isLifting && (
        <ReasonDialog
          title={`${say('lift')}: ${person.work_name}`}
          act={say('lift')}
          {...lift}
          onClose={() => setLifting(false)}
          onSend={async (reason) => (await lift.run({ id: person.id, reason })).ok}
        >
          <p className="note">{say('lift_what')}</p>
        </ReasonDialog>
      )}
    </div>
  );
}
