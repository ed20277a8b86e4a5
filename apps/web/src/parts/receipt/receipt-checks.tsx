import { formatCount as count, formatDate, formatDecimalText } from '@sathorn/text';
import { Badge, Button, Card, CardHead, Icon, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { DEVICE_CHECKS, type DeviceCheckName, OWN_RECEIPT_CHECKS } from '../evidence/device-checks.ts';
import { useFaultText } from './use-fault-text.ts';
import { useReceiptText } from './use-receipt-text.ts';
import type { DeviceVerdict } from './use-receipt-verdict.ts';
import './receipt-checks.css';

/** The delay between two checks, long enough to follow them. */
const STEP_MS = 160;

const TONES = { verified: 'success', doubtful: 'warn', at_odd_moment: 'warn', failed: 'danger' } as const;
/** Rare outcomes have their sentences in the texts that load later. */
const RARE_VERDICTS = {
  doubtful: 'verify.holds_with_new_key',
  at_odd_moment: 'verify.holds_at_odd_moment',
} as const;
const VERDICTS = {
  verified: 'verify.verified',
  failed: 'verify.not_verified',
} as const;

const isDeviceCheck = (name: string): name is DeviceCheckName => DEVICE_CHECKS.some((other) => other === name);

interface ChecksProps {
  verdict: DeviceVerdict | undefined;
  /** True if the receipt or the keys could not be loaded. */
  isFailed: boolean;
  onRetry: () => void;
  /** Shows one line with the verdict, which opens the list. A failed check also opens it. */
  isFoldable?: boolean;
}

/** The verification step by step, as computed on this device. */
export function ReceiptChecks({ verdict, isFailed, onRetry, isFoldable = false }: ChecksProps) {
  const { t, presentation } = useText();
  const hasMoment = verdict?.checks.some((check) => 'moment' in check && check.moment !== null) === true;
  const faultText = useFaultText(verdict !== undefined && !verdict.verified);
  const remarks = verdict?.remarks ?? [];
  const hasNewKey = Object.keys(verdict?.newKeys ?? {}).length > 0;
  const isPendingSomewhere = verdict?.checks.some(({ isPending }) => isPending) === true;
  const { t: receiptText } = useReceiptText(hasMoment || hasNewKey || isPendingSomewhere || remarks.length > 0);
  const [shown, setShown] = useState(0);
  const [isUnfolded, setUnfolded] = useState(false);
  const total = verdict?.checks.length ?? 0;

  useEffect(() => {
    if (shown >= total) return;
    const timer = setTimeout(() => setShown(shown + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [shown, total]);

  const checks = verdict?.checks ?? [];
  const newKeys = verdict?.newKeys ?? {};
  const keyTime = (name: (typeof checks)[number]['name']) => (isDeviceCheck(name) ? undefined : newKeys[name]);
  const passed = checks.slice(0, shown).filter(({ name, ok }) => ok && keyTime(name) === undefined).length;
  const outcome = !verdict?.verified ? 'failed' : hasNewKey ? 'doubtful' : hasMoment ? 'at_odd_moment' : 'verified';
  const isDone = verdict !== undefined && shown >= total;
  const isOpen = !isFoldable || isUnfolded || (isDone && outcome === 'failed');
  const rareText =
    outcome === 'doubtful' || outcome === 'at_odd_moment' ? receiptText?.(RARE_VERDICTS[outcome]) : undefined;
  const sentence =
    isDone && (outcome === 'verified' || outcome === 'failed')
      ? t(VERDICTS[outcome])
      : (isDone && rareText) || t('verify.running');
  const badge = verdict && (
    <Badge tone={isDone ? TONES[outcome] : 'brand'}>
      {t('verify.count', { passed: count(passed, presentation), total: count(total, presentation) })}
    </Badge>
  );
  return (
    <Card className="checks">
      {isFoldable ? (
        <button
          type="button"
          className="checks-line"
          aria-expanded={isOpen}
          onClick={() => setUnfolded((isUnfolded) => !isUnfolded)}
        >
          <span className="checks-mark" data-outcome={isDone ? outcome : undefined}>
            <Icon name={isDone && outcome !== 'verified' ? 'warning' : isDone ? 'check' : 'shield'} size={18} />
          </span>
          <span>
            <b>{t('verify.on_this_device')}</b>
            {!isOpen && !isFailed && (
              <span className="cap" role="status">
                {sentence}
              </span>
            )}
          </span>
          {badge}
          <Icon name="down" size={18} />
        </button>
      ) : (
        <CardHead title={t('verify.on_this_device')} trail={badge} />
      )}
      {isOpen && !verdict && !isFailed && (
        // Reserves the space of the checks, so that nothing below moves.
        <ol aria-hidden="true">
          {OWN_RECEIPT_CHECKS.filter((name) => name !== 'sold_in_time').map((name) => (
            <li key={name} data-waiting="">
              <Icon name="check" size={18} />
              <span>{t(`verify.check.${name}`)}</span>
            </li>
          ))}
        </ol>
      )}
      {isOpen && verdict && (
        <ol>
          {checks.map((check, place) => {
            const { name, ok, fault, isPending } = check;
            const keyAppearedAt = keyTime(name);
            const moment = 'moment' in check ? check.moment : null;
            const isDoubtful = ok && (isPending || keyAppearedAt !== undefined || moment !== null);
            return (
              <li
                key={name}
                data-state={!ok ? 'failed' : isDoubtful ? 'pending' : 'passed'}
                // Hidden checks reserve their space, so that nothing below moves.
                data-waiting={place >= shown ? '' : undefined}
              >
                <Icon name={!ok ? 'cross' : isPending ? 'clock' : isDoubtful ? 'warning' : 'check'} size={18} />
                <span>
                  {t(`verify.check.${name}`)}
                  {!ok && fault !== null && <span className="checks-fault">{faultText(fault)}</span>}
                  {isPending && receiptText && (
                    <span className="cap">
                      {receiptText(name === 'chain_public' ? 'verify.chain_unread' : 'verify.pending')}
                    </span>
                  )}
                  {ok && moment !== null && receiptText && (
                    <span className="checks-doubt">{receiptText(`verify.moment.${moment}`)}</span>
                  )}
                  {receiptText &&
                    remarks
                      .filter(({ about }) => about === name)
                      .map(({ kind, ms }) => (
                        <span key={kind} className="cap">
                          {receiptText(`verify.remark.${kind}`, {
                            seconds: formatDecimalText((ms / 1_000).toFixed(1), presentation),
                          })}
                        </span>
                      ))}
                  {keyAppearedAt !== undefined && receiptText && (
                    <span className="checks-doubt">
                      {receiptText('verify.key_new', { time: formatDate(keyAppearedAt, 'dateTime', presentation) })}
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ol>
      )}
      {isFailed && (
        <div className="row" role="alert">
          <span className="muted">{t('verify.not_loaded')}</span>
          <Button look="soft" size="small" onClick={onRetry}>
            {t('shell.try_again')}
          </Button>
        </div>
      )}
      {isOpen && (verdict || !isFailed) && (
        <p className="checks-verdict" role="status" data-outcome={isDone ? outcome : undefined}>
          {sentence}
        </p>
      )}
    </Card>
  );
}
