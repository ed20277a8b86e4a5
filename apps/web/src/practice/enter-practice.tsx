import { enterPractice } from '@sathorn/api';
import { type Failure, failureText, useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { setPreferences } from '@sathorn/app/preferences';
import { beginSession } from '@sathorn/app/session';
import { isLanguage } from '@sathorn/text';
import { Card, EmptyState, SkeletonRows, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { HOME } from '../paths.ts';

/** On the practice platform: takes the ticket in the address. Without a good one the way in is the real platform. */
export function EnterPractice({ of }: { of: string }) {
  const texts = useText();
  const { t } = useText<'practice'>();
  const { query, relaunch } = useNavigation();
  const [ticket, language] = [query.get('ticket'), query.get('language') ?? ''];
  const enter = useCall(enterPractice, { quiet: true });
  const [failure, setFailure] = useState<Failure | null>(null);
  const isTaken = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because a ticket is used once.
  useEffect(() => {
    if (ticket === null || isTaken.current) return;
    isTaken.current = true;
    if (isLanguage(language)) setPreferences({ language });
    void enter.submit({ ticket }).then((answer) => {
      if (!answer.ok) return setFailure(answer);
      beginSession(answer.data.token, answer.data.user);
      relaunch(HOME);
    });
  }, []);
  return (
    <div className="page">
      <Card>
        {ticket !== null && !failure ? (
          <SkeletonRows rows={3} label={t('practice.opening')} />
        ) : (
          <EmptyState
            title={failure ? failureText(failure, texts) : t('practice.closed')}
            action={{ label: t('practice.open'), onPress: () => location.assign(`${of}/#/pages/practice/enter`) }}
          />
        )}
      </Card>
    </div>
  );
}
