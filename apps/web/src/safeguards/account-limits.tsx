/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/identity';
import { listWithdrawalRates, readCertification, readLevel } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { AreaTexts, textArea } from '@sathorn/app/texts';
import { formatMoney, money, parseMoney } from '@sathorn/money';
import { formatCount, formatDecimalText, formatPercent } from '@sathorn/text';
import { Badge, Button, Card, CardHead, ListRow, ProgressBar, useText } from '@sathorn/ui';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { MoneyNote } from '../parts/money/note.tsx';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';

const IDENTITY = textArea('identity', loaders);

/** The withdrawal limit, its used part, and what raises it. */
export default function AccountLimits() {
  return (
    <AreaTexts area={IDENTITY}>
      <Content />
    </AreaTexts>
  );
}

const unitsOf = (amount: string): bigint => parseMoney('USDT', amount)?.units ?? 0n;

function Content() {
  const texts = useText();
  const { t, presentation } = useText<'identity'>();
  const { navigate } = useNavigation();
  const rates = useRead(listWithdrawalRates, {});
  const certification = useRead(readCertification, {});
  const level = useRead(readLevel, {});
  const reads = [rates, certification, level];
  if (!rates.data || !certification.data || !level.data) {
    const error = reads.find((read) => read.error && !read.data)?.error;
    return (
      <CardNotLoaded
        read={{ error, refetch: () => reads.forEach((read) => void read.refetch()) }}
        failed={texts.t('mine.failed')}
      />
    );
  }
  const { limits, primary, advanced } = certification.data;
  const amount = (text: string) => formatDecimalText(withoutTrailingZeros(text), presentation);
  const [rate] = rates.data;
  const max = rate ? unitsOf(rate.daily_max) : 0n;
  const left = rate ? unitsOf(rate.left_today) : 0n;
  const used = max > left ? max - left : 0n;
  const here = advanced.state === 'verified' ? 'advanced' : primary.state === 'verified' ? 'primary' : 'none';
  const steps = [
    ['none', 'cert.without'],
    ['primary', 'cert.primary'],
    ['advanced', 'cert.advanced'],
  ] as const;
  const share = (text: string) => formatPercent(text, presentation, { minDecimals: 2, maxDecimals: 2 });
  return (
    <>
      {rate && (
        <Card className="stack">
          <p className="row num">
            <b>{t('limits.withdraw')}</b>
            <b>
              <bdi>{amount(rate.daily_max)}</bdi> <span className="cap">USDT</span>
            </b>
          </p>
          <ProgressBar share={max > 0n ? Number((used * 1_000n) / max) / 1_000 : 0} label={t('limits.withdraw')} />
          <p className="row cap num">
            <span>{t('limits.used', { amount: amount(formatMoney(money('USDT', used))) })}</span>
            <span>{t('limits.left', { amount: amount(rate.left_today) })}</span>
          </p>
        </Card>
      )}
      <Card tight className="limits-steps">
        <CardHead title={t('limits.by_certification')} />
        {steps.map(([step, key]) => (
          <ListRow
            key={step}
            icon={step === 'none' ? 'person' : 'shield'}
            title={
              <>
                {t(key)} {step === here && <Badge tone="brand">{t('limits.now')}</Badge>}
              </>
            }
            value={
              <b>
                <bdi>{amount(limits[step])}</bdi>
              </b>
            }
          />
        ))}
      </Card>
      <Card tight>
        <ListRow
          icon="crown"
          title={t('limits.vip')}
          value={
            level.data.level > 0
              ? t('vip.level', { level: formatCount(level.data.level, presentation) })
              : t('vip.none')
          }
          onPress={() => navigate('/pages/mine/vipLevel')}
        />
        <ListRow
          icon="chart"
          title={t('limits.fees')}
          note={`${t('vip.maker')} / ${t('vip.taker')}`}
          value={
            <bdi>
              {share(level.data.benefits.maker)} / {share(level.data.benefits.taker)}
            </bdi>
          }
        />
      </Card>
      {here !== 'advanced' && (
        <Button
          onClick={() =>
            navigate(here === 'none' ? '/pages/mine/Certification/primary' : '/pages/mine/Certification/advanced')
          }
        >
          {t('limits.raise')}
        </Button>
      )}
      <MoneyNote icon="shield" tone="success">
        {t('cert.always', { amount: amount(limits.none) })}
      </MoneyNote>
    </>
  );
}
