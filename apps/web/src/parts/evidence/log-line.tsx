import { useServerSecond } from '@sathorn/app/stream';
import { Icon, useText } from '@sathorn/ui';
import { useSystemConfig } from '../../shell/config.ts';
import { logSentence, shownState } from './log-sentence.ts';
import { useLogText } from './log-text.ts';
import { usePublicLog } from './use-public-log.ts';
import './kept-line.css';

/** One line on who has seen the platform's history, and when. Nothing while that is unknown, or if there is no log. */
export default function LogLine() {
  const { presentation } = useText();
  const config = useSystemConfig();
  const view = usePublicLog();
  const nowMs = useServerSecond();
  const isShown = view !== undefined && view.seen !== null && (view.state !== 'seen' || config !== undefined);
  const { t } = useLogText(isShown);
  if (!t || !isShown) return null;
  const isSeen = shownState(view, nowMs) === 'seen' && view.own !== 'missing';
  return (
    <p className="cap kept-line" data-doubt={isSeen ? undefined : ''}>
      <Icon name={isSeen ? 'shield' : 'clock'} size={16} />
      <span>
        {logSentence(view, { t, presentation, isDemo: config?.mode === 'demo', nowMs })}
        {view.own !== null && (
          <>
            <br />
            {t(view.own === 'included' ? 'log.own' : 'log.own_missing')}
          </>
        )}
      </span>
    </p>
  );
}
