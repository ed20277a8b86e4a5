import { type CoinQuote, listOptions, type OptionReceipt, readOption, readProofTicks, readQuote } from '@sathorn/api';
import { callServer, failureText, useRead } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { useSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { formatDate, formatDecimalText } from '@sathorn/text';
import {
  Badge,
  Button,
  Card,
  CardHead,
  Chip,
  ErrorState,
  FieldFrame,
  Icon,
  ListRow,
  Money,
  PriceText,
  Skeleton,
  useText,
} from '@sathorn/ui';
import { useRef, useState } from 'react';
import { useCoins } from '../parts/market/tickers.ts';
import { keyAppearedAtMs } from '../parts/receipt/known-keys.ts';
import { ReceiptChecks } from '../parts/receipt/receipt-checks.tsx';
import { useProofKeys } from '../parts/receipt/use-proof-keys.ts';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';
import { useReceiptVerdict } from '../parts/receipt/use-receipt-verdict.ts';
import { type ReceiptFacts, readReceiptText, withoutIdleZeros } from './receipt-text.ts';
import './verify.css';

const loadSeenHere = () => import('./seen-here.tsx');
const loadLogCard = () => import('./log-card.tsx');
const loadUnprovable = () => import('./unprovable.tsx');

/** The third tab of `#/pages/verify/index`: anybody can verify a receipt and see the keys and chains used for it. */
export default function Verify() {
  const { t } = useText();
  return (
    <>
      <Card look="wood" className="verify-lead">
        <Icon name="shield" size={28} />
        <p>{t('verify.lead')}</p>
      </Card>
      <CheckReceipt />
      <Late load={loadLogCard} failed={renderNothing} />
      <Late load={loadSeenHere} failed={renderNothing} />
      <Keys />
      <Chains />
      <Late load={loadUnprovable} failed={renderNothing} />
    </>
  );
}

/** A receipt is small; a larger file cannot be one. */
const FILE_BYTES_MAX = 200_000;

function CheckReceipt() {
  const texts = useText();
  const { t, presentation } = texts;
  const isCustomer = useSession((session) => session.token !== null);
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const [taken, setTaken] = useState<{ receipt: OptionReceipt; facts: ReceiptFacts | null; times: number }>();
  const { verdict, error, retry } = useReceiptVerdict(taken?.receipt, taken?.facts?.coin ?? null);

  const take = async (source: string) => {
    setText(source);
    setFault(undefined);
    const read = await readReceiptText(source);
    if (read) setTaken((before) => ({ ...read, times: (before?.times ?? 0) + 1 }));
    else {
      setTaken(undefined);
      setFault(t('verify.not_a_receipt'));
    }
  };
  const takeFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size <= FILE_BYTES_MAX) return take(await chosen.text());
    setTaken(undefined);
    setFault(t('verify.not_a_receipt'));
  };
  const takeLatest = async () => {
    const list = await callServer(listOptions, { status: 'history' });
    const id = list.ok ? list.data.items[0]?.id : undefined;
    if (!list.ok) return showToast(failureText(list, texts), 'danger');
    if (id === undefined) return showToast(t('option.none_history'));
    const order = await callServer(readOption, { id });
    if (!order.ok) return showToast(failureText(order, texts), 'danger');
    await take(JSON.stringify(order.data.receipt, null, 2));
  };

  return (
    <>
      <Card className="stack">
        <FieldFrame label={t('verify.paste')} error={fault}>
          {(ties) => (
            <div className="ui-field-well">
              <textarea
                {...ties}
                className="verify-text"
                dir="ltr"
                rows={5}
                spellCheck={false}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  // Earlier results belong to the previous text.
                  setTaken(undefined);
                  setFault(undefined);
                }}
              />
            </div>
          )}
        </FieldFrame>
        <Button disabled={text.trim() === ''} onClick={() => void take(text)}>
          {t('verify.check_it')}
        </Button>
        <div className="verify-sources">
          <Button look="soft" size="small" icon="upload" onClick={() => file.current?.click()}>
            {t('verify.from_file')}
          </Button>
          {isCustomer && (
            <Button look="soft" size="small" icon="list" onClick={() => void takeLatest()}>
              {t('verify.latest')}
            </Button>
          )}
        </div>
        <input
          ref={file}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={t('verify.from_file')}
          onChange={({ target }) => {
            void takeFile(target.files?.[0]);
            // Without this reset, choosing the same file again would have no effect.
            target.value = '';
          }}
        />
      </Card>
      {taken && (
        <>
          {taken.facts && (
            <Card tight>
              <ListRow
                title={t('verify.says')}
                value={
                  <b>
                    {taken.facts.coin} · {t(taken.facts.direction === 'up' ? 'option.up' : 'option.down')} ·{' '}
                    {t(`option.status.${taken.receipt.result.status}`)}
                  </b>
                }
              />
              <ListRow
                title={t('option.stake')}
                value={
                  <b>
                    <Money amount={taken.facts.stake} asset="USDT" exact />
                  </b>
                }
              />
              <ListRow
                title={t('option.start_price')}
                value={
                  <b>
                    <PriceText price={taken.facts.startPrice} />
                  </b>
                }
              />
              <ListRow
                title={t('option.end_price')}
                value={
                  <b>
                    <PriceText price={taken.facts.endPrice} />
                  </b>
                }
              />
              <ListRow
                title={t('option.credited')}
                value={
                  <b>
                    <Money amount={taken.facts.credited} asset="USDT" exact />
                  </b>
                }
              />
              <ListRow
                title={t('verify.accepted_at')}
                value={formatDate(taken.facts.acceptedMs, 'dateTimeSeconds', presentation)}
              />
            </Card>
          )}
          <ReceiptChecks key={taken.times} verdict={verdict} isFailed={error !== null} onRetry={() => void retry()} />
        </>
      )}
    </>
  );
}

function Keys() {
  const texts = useText();
  const { t, presentation } = texts;
  const { published: keys, refused, known, error, refetch } = useProofKeys();
  return (
    <Card>
      <CardHead title={t('verify.keys')} />
      <Note name="keys_note" />
      {keys?.map((key) => (
        <div key={key.id} className="verify-key">
          <div className="row">
            <b>{t(`verify.key.${key.use}`)}</b>
            <span className="cap num">
              {t('verify.key_since', { time: formatDate(key.from, 'date', presentation) })}
            </span>
          </div>
          {refused?.some((other) => other.key.public_key === key.public_key) ? (
            <Badge tone="danger">{t('verify.key_refused')}</Badge>
          ) : (
            <NewHere since={keyAppearedAtMs(known, key.id)} />
          )}
          <code className="mono">{key.public_key}</code>
        </div>
      ))}
      {error && !keys && (
        <ErrorState
          title={failureText(error.failure, texts)}
          action={{ label: t('shell.try_again'), onPress: () => void refetch() }}
        />
      )}
      {!keys && !error && <Skeleton height={179} />}
    </Card>
  );
}

/** Marks a key that was not published yet when this device first saw the keys. */
function NewHere({ since }: { since: number | null }) {
  const { t, presentation } = useText();
  if (since === null) return null;
  return <Badge tone="warn">{t('verify.key_new_since', { time: formatDate(since, 'dateTime', presentation) })}</Badge>;
}

function Chains() {
  const { t } = useText();
  const { data: coins } = useCoins();
  const [chosen, setChosen] = useState('BTC');
  const coin = coins?.find(({ code }) => code === chosen);
  return (
    <Card>
      <CardHead title={t('verify.chains')} />
      <Note name="chains_note" />
      <fieldset className="verify-coins" aria-label={t('option.choose_coin')}>
        {coins?.map(({ code }) => (
          <Chip key={code} pressed={code === chosen} onClick={() => setChosen(code)}>
            {code}
          </Chip>
        ))}
      </fieldset>
      {coin ? <Chain coin={coin} /> : <Skeleton height={180} />}
    </Card>
  );
}

/** A page beyond the chain's head contains only the head. */
const BEYOND = '9'.repeat(18);

function Chain({ coin }: { coin: CoinQuote }) {
  const { t, presentation } = useText();
  const { data: ticks } = useRead(readProofTicks, { code: coin.code, from: BEYOND, limit: '1' }, { everyMs: 5_000 });
  const { data: quote } = useRead(readQuote, { code: coin.code }, { everyMs: 5_000 });
  return (
    <>
      <ListRow
        title={t('verify.head')}
        value={ticks?.head ? <b>{formatDecimalText(ticks.head.sequence, presentation)}</b> : '–'}
      />
      {ticks?.head && <code className="mono verify-hash">{ticks.head.hash}</code>}
      <p className="verify-sub">{t('verify.sources')}</p>
      {quote?.sources.map((source) => (
        <ListRow
          key={source.name}
          title={source.name}
          note={formatDate(source.at, 'seconds', presentation)}
          value={
            <>
              <b>
                <PriceText price={withoutIdleZeros(source.price)} />
              </b>{' '}
              <Badge tone={source.used ? 'success' : 'warn'}>
                {t(source.used ? 'verify.source_used' : 'verify.source_left_out')}
              </Badge>
            </>
          }
        />
      ))}
      {quote?.sources.length === 0 && <p className="muted">{t('verify.no_sources')}</p>}
    </>
  );
}

function Note({ name }: { name: 'keys_note' | 'chains_note' }) {
  const { t } = useReceiptText(true);
  return t && <p className="muted verify-note">{t(`verify.${name}`)}</p>;
}
