import type { ReceiptVerdict } from '@sathorn/proof';
import { formatCount as count } from '@sathorn/text';
import { Badge, Button, Card, CardHead, Icon, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import './checks.css';

/** Between two checks: long enough to follow them with the eye. */
const STEP_MS = 160;

interface ChecksProps {
  verdict: ReceiptVerdict | undefined;
  /** The receipt or the keys are not there. */
  isFailed: boolean;
  onRetry: () => void;
}

/** The verification, step by step, as it was computed on this device. */
export function Checks({ verdict, isFailed, onRetry }: ChecksProps) {
  const { t, has, presentation } = useText();
  const [shown, setShown] = useState(0);
  const total = verdict?.checks.length ?? 0;

  useEffect(() => {
    if (shown >= total) return;
    const timer = setTimeout(() => setShown(shown + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [shown, total]);

  const checks = verdict?.checks.slice(0, shown) ?? [];
  const passed = checks.filter((check) => check.ok).length;
  const isDone = verdict !== undefined && shown >= total;
  return (
    <Card className="checks">
      <CardHead
        title={t('verify.on_this_device')}
        trail={
          verdict && (
            <Badge tone={!isDone ? 'brand' : verdict.verified ? 'success' : 'danger'}>
              {t('verify.count', { passed: count(passed, presentation), total: count(total, presentation) })}
            </Badge>
          )
        }
      />
      <ol>
        {checks.map(({ name, ok, fault, isPending }) => {
          const faultKey = `verify.fault.${fault}`;
          return (
            <li key={name} data-state={!ok ? 'failed' : isPending ? 'pending' : 'passed'}>
              <Icon name={!ok ? 'cross' : isPending ? 'clock' : 'check'} size={18} />
              <span>
                {t(`verify.check.${name}`)}
                {!ok && (
                  <span className="checks-fault">
                    {has(faultKey) ? t(faultKey) : t('verify.fault.other', { code: fault ?? '' })}
                  </span>
                )}
                {isPending && <span className="cap">{t('verify.pending')}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {!verdict && !isFailed && (
        <p className="muted" role="status">
          {t('verify.running')}
        </p>
      )}
      {isFailed && (
        <div className="row" role="alert">
          <span className="muted">{t('verify.not_loaded')}</span>
          <Button look="soft" size="small" onClick={onRetry}>
            {t('shell.try_again')}
          </Button>
        </div>
      )}
      {isDone && (
        <p className="checks-verdict" role="status" data-verified={verdict.verified}>
          {t(verdict.verified ? 'verify.verified' : 'verify.not_verified')}
        </p>
      )}
    </Card>
  );
}
