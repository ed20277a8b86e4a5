import { type EarningState, readEarningRules, type YieldFund } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { PageBar } from '@sathorn/app/shell';
import { Badge, Card, ErrorState, Icon, NavLink, Sheet, useText } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { NextRules } from '../parts/text/next-rules.tsx';
import { RichText } from '../parts/text/rich-text.tsx';
import { useSystemConfig } from '../shell/config.ts';
import { dayText, percentOfWhole, usdtUnitsOf, wholeAmountText, wholeAmountTextUp } from './figures.ts';

/** A page's wooden header with its title bar and a large figure. */
export function EarningHero({ title, trail, children }: { title: string; trail?: ReactNode; children: ReactNode }) {
  return (
    <div className="earning-hero">
      <PageBar title={title} trail={trail} />
      <div className="earning-hero-body">{children}</div>
    </div>
  );
}

/** The main action, fixed at the lower edge above the scrolling content. */
export function EarningFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="earning-foot">
      {note && <p className="earning-foot-note">{note}</p>}
      <div className="earning-foot-actions">{children}</div>
    </div>
  );
}

export function ShareBar({ share, tone = 'gold' }: { share: number; tone?: 'gold' | 'success' | 'brand' }) {
  return (
    <span className="earning-bar" data-tone={tone} aria-hidden="true">
      <span style={{ inlineSize: `${share}%` }} />
    </span>
  );
}

export function EarningNote({ tone = 'plain', children }: { tone?: 'plain' | 'warn'; children: ReactNode }) {
  return (
    <div role="note" className="earning-note" data-tone={tone}>
      <Icon name={tone === 'warn' ? 'warning' : 'info'} size={18} />
      <p>{children}</p>
    </div>
  );
}

/** The legal note on both lists, including that this is a demo. */
export function LegalNote() {
  const { t } = useText<'earning'>();
  const config = useSystemConfig();
  if (config === undefined) return null;
  return <EarningNote tone="warn">{t(config.mode === 'demo' ? 'earning.legal_demo' : 'earning.legal')}</EarningNote>;
}

/** Explains why subscriptions are closed; renders nothing while they are open. */
export function ClosedNote({ state, fund }: { state: EarningState; fund: YieldFund }) {
  const { t, presentation } = useText<'earning'>();
  if (state === 'open') return null;
  if (state === 'uncovered' && fund.waiting !== null)
    return (
      <EarningNote tone="warn">
        {t('earning.waiting', { day: dayText(fund.waiting, 'date', presentation) })}
      </EarningNote>
    );
  return <EarningNote tone="warn">{t(`earning.why.${state}`)}</EarningNote>;
}

export function StateBadge({ state }: { state: EarningState }) {
  const { t } = useText<'earning'>();
  return state === 'open' ? null : <Badge>{t(`earning.state.${state}`)}</Badge>;
}

/** The yield account: its balance and its promises. */
export function FundCard({ fund }: { fund: YieldFund }) {
  const { t, presentation } = useText<'earning'>();
  const [available, reserved] = [usdtUnitsOf(fund.available), usdtUnitsOf(fund.reserved)];
  const isShort = fund.waiting !== null || (fund.days !== null && fund.days < fund.days_min);
  return (
    <Card className="earning-fund">
      <div className="earning-fund-head">
        <span className="earning-fund-icon" data-short={isShort ? '' : undefined}>
          <Icon name={isShort ? 'warning' : 'shield'} size={20} />
        </span>
        <div>
          <h2>{t('earning.fund')}</h2>
          <p className="muted num">
            {t('earning.fund_split', {
              free: wholeAmountText(fund.available, presentation),
              reserved: wholeAmountTextUp(fund.reserved, presentation),
            })}
          </p>
        </div>
      </div>
      <ShareBar share={percentOfWhole(reserved, available + reserved)} tone="success" />
      <p className="cap num">
        {fund.waiting !== null
          ? t('earning.waiting', { day: dayText(fund.waiting, 'date', presentation) })
          : fund.days === null
            ? t('earning.fund_idle')
            : fund.days > 365
              ? t('earning.fund_long')
              : t('earning.fund_days', { days: fund.days })}
      </p>
    </Card>
  );
}

/** A link to the rules at the end of a title bar, and the sheet with the rules. */
export function RulesLink({ type }: { type: 'liquidity' | 'regular' }) {
  const { t } = useText<'earning'>();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <NavLink onPress={() => setOpen(true)}>{t('earning.rules')}</NavLink>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('earning.rules')}>
        {isOpen && <Rules type={type} />}
      </Sheet>
    </>
  );
}

function Rules({ type }: { type: 'liquidity' | 'regular' }) {
  const { data, error, refetch } = useRead(readEarningRules, { type }, { freshForMs: 300_000 });
  if (data)
    return (
      <>
        <NextRules next={data.next} />
        <RichText text={data.content} />
      </>
    );
  return <NotLoaded read={{ error, refetch }} />;
}

/** Shown if a page could not be loaded. */
export function LoadFailed({ title, onRetry, act }: { title: string; onRetry: () => void; act?: string }) {
  const { t } = useText();
  return (
    <div className="page">
      <Card>
        <ErrorState title={title} action={{ label: act ?? t('shell.try_again'), onPress: onRetry }} />
      </Card>
    </div>
  );
}
