import { useServerSecond } from '@sathorn/app/stream';
import { Card, CardHead, Skeleton, useText } from '@sathorn/ui';
import { logSentence, shownState } from '../parts/evidence/log-sentence.ts';
import { useLogText } from '../parts/evidence/log-text.ts';
import { usePublicLog } from '../parts/evidence/use-public-log.ts';
import { useSystemConfig } from '../shell/config.ts';

/** Who has seen the platform's history besides this device, and what that is good for. */
export default function LogCard() {
  const { presentation } = useText();
  const config = useSystemConfig();
  const view = usePublicLog();
  const nowMs = useServerSecond();
  const { t } = useLogText(true);
  if (!t) return null;
  // Who the witnesses are depends on the mode, and nobody is called another before it is known.
  const isKnown = view !== undefined && (view.state !== 'seen' || config !== undefined);
  const isDemo = config?.mode === 'demo';
  const why = view?.state === 'alone' ? 'log.why_alone' : isDemo ? 'log.why_demo' : 'log.why';
  return (
    <Card>
      <CardHead title={t('log.title')} />
      {isKnown ? (
        <>
          <p className={toneOf(shownState(view, nowMs))}>{logSentence(view, { t, presentation, isDemo, nowMs })}</p>
          {view.state !== 'none' && config !== undefined && <p className="muted">{t(why)}</p>}
        </>
      ) : (
        <Skeleton height={60} />
      )}
    </Card>
  );
}

const toneOf = (state: ReturnType<typeof shownState>): string =>
  state === 'differs' ? 'verify-found' : state === 'none' || state === 'unread' ? 'muted verify-note' : 'verify-note';
