import { leaveClaim, listClaims, takeClaim, takeOverClaim } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button, Icon } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../keys.ts';
import { useOperator } from '../operator.ts';
import { useAct } from '../use-act.ts';
import { clockSpanText, Tag } from './parts.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { RefusalNote } from './states.tsx';
import { useTexts } from './texts/index.ts';
import { useDesk, useIsDeskLineLost } from './use-live-read.ts';

type Kind = 'withdrawal' | 'deposit' | 'certification' | 'approval';
const KEEP_MS = 30_000;

/** The current claims, from the stream or, while it is disconnected, by polling. */
function useClaims(kind: Kind) {
  const isLost = useIsDeskLineLost();
  const desk = useDesk();
  const { data } = useRead(listClaims, {}, { enabled: isLost || desk === null, everyMs: 5_000 });
  const claims = isLost || desk === null ? data : desk.claims;
  return (id: string) => claims?.find((claim) => claim.kind === kind && claim.id === id) ?? null;
}

function Since({ at }: { at: string }) {
  const { t } = useTexts();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return clockSpanText(Math.max(0, now - Date.parse(at)), t('clock.day'), t('clock.hour'));
}

export function ClaimTag({ kind, id }: { kind: Kind; id: string }) {
  const { t } = useTexts();
  const operator = useOperator();
  const claim = useClaims(kind)(id);
  if (!claim) return null;
  const isMine = claim.by.id === operator?.id;
  return (
    <Tag look={isMine ? 'brand' : undefined}>
      {!isMine && <Icon name="lock" size={12} />}
      {isMine ? t('claim.you') : claim.by.work_name} · <Since at={claim.since} />
    </Tag>
  );
}

/**
 * Takes, keeps and releases a case with `t`; `shift+t` takes it over. Claims only help people to coordinate: the
 * version check is what prevents conflicting decisions.
 */
export function ClaimBar({ kind, id }: { kind: Kind; id: string }) {
  const { t } = useTexts();
  const operator = useOperator();
  const claim = useClaims(kind)(id);
  const take = useAct(takeClaim);
  const drop = useAct(leaveClaim);
  const force = useAct(takeOverClaim);
  const [isForcing, setForcing] = useState(false);
  const isMine = claim !== null && claim.by.id === operator?.id;
  const keep = useRef(() => {});
  keep.current = () => {
    if (isMine && document.visibilityState === 'visible') void take.run({ kind, id });
  };
  useEffect(() => {
    const timer = setInterval(() => keep.current(), KEEP_MS);
    return () => clearInterval(timer);
  }, []);
  useKeys({
    t: () => void (isMine ? drop.run({ kind, id }) : take.run({ kind, id })),
    'shift+t': () => claim && !isMine && setForcing(true),
  });
  return (
    <>
      {claim && !isMine && (
        <div className="note row" data-look="warn">
          <Icon name="lock" size={14} />
          <span>
            {t('claim.taken', { by: claim.by.work_name })} · <Since at={claim.since} />
          </span>
          <Button size="small" look="soft" onClick={() => setForcing(true)}>
            {t('claim.take_over')} <kbd>T</kbd>
          </Button>
        </div>
      )}
      {!claim && (
        <Button size="small" look="plain" onClick={() => void take.run({ kind, id })}>
          {t('claim.take')} <kbd>t</kbd>
        </Button>
      )}
      {isMine && (
        <Button size="small" look="plain" onClick={() => void drop.run({ kind, id })}>
          {t('claim.leave')} <kbd>t</kbd>
        </Button>
      )}
      <RefusalNote refused={take.refused} />
      {isForcing && claim && (
        <ReasonDialog
          title={t('claim.take_over')}
          why={t('claim.why', { by: claim.by.work_name })}
          {...force}
          onSend={async (reason) => (await force.run({ kind, id, reason })).ok}
          onClose={() => setForcing(false)}
        />
      )}
    </>
  );
}
