import { readEnrolmentCode } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';

/** The approver's half of an invitation, to be read to the person and not sent the same way as the link. */
export function EnrolmentCode({ approval }: { approval: string }) {
  const { t, dateTime } = useTexts();
  const read = useAct(readEnrolmentCode);
  const [shown, setShown] = useState<{ work_name: string; code: string; until: string } | null>(null);
  return (
    <div className="note col">
      <b>{t('operators.code')}</b>
      <p>{t('operators.code_how')}</p>
      {shown ? (
        <p role="status">
          <b className="mono amount">{(shown.code.match(/.{4}/g) ?? []).join('-')}</b>{' '}
          <span className="c">
            {shown.work_name} · {t('customers.until')} {dateTime(shown.until)}
          </span>
        </p>
      ) : (
        <div className="row">
          <Button
            size="small"
            look="soft"
            icon="eye"
            busy={read.isBusy}
            onClick={async () => {
              const done = await read.run({ approval });
              if (done.ok) setShown(done.data);
            }}
          >
            {t('operators.show_code')}
          </Button>
        </div>
      )}
      <RefusalNote refused={read.refused} />
    </div>
  );
}
