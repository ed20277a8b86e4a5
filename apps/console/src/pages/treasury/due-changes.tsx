import { changeTreasuryOwners, type DueOwnerChange } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { GroupedText } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import type { TreasuryView } from './run-hash.ts';
import { useTreasuryTexts } from './texts.ts';

/** Changes of owners that are due, each with the button that opens its run. */
export function DueChanges({
  due,
  owners,
  mayChange,
}: {
  due: readonly DueOwnerChange[];
  owners: TreasuryView['owners'];
  mayChange: boolean;
}) {
  const { say } = useTreasuryTexts();
  if (due.length === 0) return null;
  return (
    <div className="bd col">
      <h3>{say('due')}</h3>
      {due.map((one) => (
        <DueChange
          key={`${one.change} ${one.leaving?.address} ${one.coming?.id}`}
          due={one}
          since={owners.find(({ address }) => address === one.leaving?.address)?.overdue_since ?? null}
          mayChange={mayChange}
        />
      ))}
    </div>
  );
}

function DueChange({
  due: { change, why, leaving, coming },
  since,
  mayChange,
}: {
  due: DueOwnerChange;
  since: string | null;
  mayChange: boolean;
}) {
  const { dateTime } = useTexts();
  const { say } = useTreasuryTexts();
  const act = useAct(changeTreasuryOwners);
  const isOverdue = why === 'left' || why === 'key_lost';
  const names = {
    leaving: leaving?.operator?.work_name ?? '',
    coming: coming?.work_name ?? '',
    time: since === null ? '' : dateTime(since),
  };
  return (
    <div className="note col" data-look={isOverdue ? 'danger' : undefined}>
      <p>{say(`due.${why}`, names)}</p>
      {leaving && (
        <p>
          <GroupedText text={leaving.address} />
        </p>
      )}
      {mayChange && (
        <div className="row">
          <Button
            size="small"
            look="soft"
            busy={act.isBusy}
            onClick={() =>
              void act.run({
                change,
                ...(leaving && { leaving: leaving.address }),
                ...(coming && { operator: coming.work_name }),
              })
            }
          >
            {say(`due.${change}`, names)}
          </Button>
        </div>
      )}
      <RefusalNote refused={act.refused} />
    </div>
  );
}
