import { handInKept, sendSupport } from '@sathorn/api';
import { callServer, randomId } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { formatMoney, money, UNIT_OF_ACCOUNT } from '@sathorn/money';
import { formatDate } from '@sathorn/text';
import { Button, ListRow, Money, useText } from '@sathorn/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EvidenceFinding } from '../parts/evidence/evidence-findings.ts';
import { type KeptTerms, listKeptPurchases } from '../parts/evidence/kept-terms.ts';
import type { ReceiptText } from '../parts/receipt/use-receipt-text.ts';
import { packTextsIntoLists } from './pack-texts.ts';

/** A message has room for this many. The case lists all of them. */
const SHOWN_MAX = 10;

const stakeOf = ({ stake }: KeptTerms): string => formatMoney(money(UNIT_OF_ACCOUNT, stake));

/** Uses words that support understands in any language. */
const lineOf = (kept: KeptTerms): string =>
  [
    kept.order,
    new Date(kept.acceptedMs).toISOString(),
    kept.coin,
    kept.direction,
    `${stakeOf(kept)} ${UNIT_OF_ACCOUNT}`,
    `sha256 ${kept.signed.hash.slice(0, 16)}`,
  ].join(' ');

/** The kept receipts of the time that a restored platform has lost, and a button that sends them to support. */
export function KeptOverRestoration({
  finding: { endsAt, restoredAt },
  t,
}: {
  readonly finding: Extract<EvidenceFinding, { kind: 'restored' }>;
  readonly t: ReceiptText;
}) {
  const { presentation } = useText();
  const isCustomer = useSession(({ token }) => token !== null);
  // One id, so that repeated sending creates only one message.
  const [id] = useState(randomId);
  const { data: kept } = useQuery({
    queryKey: ['kept-over-restoration', endsAt, restoredAt],
    queryFn: () => listKeptPurchases(Date.parse(endsAt), Date.parse(restoredAt)),
  });
  const sending = useMutation({
    mutationFn: async (all: readonly KeptTerms[]) => {
      const refused = new Set<string>();
      let number: string | null = null;
      for (const texts of packTextsIntoLists(all.map(({ signed, receipt }) => receipt ?? signed))) {
        const answer = await callServer(handInKept, { texts });
        if (!answer.ok) throw new Error(answer.message ?? '');
        number = answer.data.case ?? number;
        // If the first answer was lost, the server already has these texts.
        for (const { why, text } of answer.data.refused) if (why !== 'kept_already_taken') refused.add(text);
      }
      if (number !== null) {
        const lines = [`${t('verify.restored.message')} ${number}`, ...all.slice(-SHOWN_MAX).map(lineOf)];
        const answer = await callServer(sendSupport, { id, text: lines.join('\n') });
        if (!answer.ok) throw new Error(answer.message ?? '');
      }
      return { number, refused: [...refused] };
    },
  });
  if (kept === undefined) return null;
  if (kept.length === 0) return <p className="muted">{t('verify.restored.nothing')}</p>;
  return (
    <div className="stack">
      <p>{t('verify.restored.kept')}</p>
      {kept.slice(-SHOWN_MAX).map((one) => (
        <ListRow
          key={one.order}
          title={one.coin}
          note={formatDate(one.acceptedMs, 'dateTimeSeconds', presentation)}
          value={<Money amount={stakeOf(one)} asset={UNIT_OF_ACCOUNT} exact />}
        />
      ))}
      {sending.isError && <p role="alert">{sending.error.message}</p>}
      {sending.isSuccess ? (
        <div role="status">
          {sending.data.number !== null && (
            <p>
              {t('verify.restored.case', { case: sending.data.number })} {t('verify.restored.sent')}
            </p>
          )}
          {sending.data.refused.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      ) : (
        isCustomer && (
          <Button look="soft" busy={sending.isPending} onClick={() => sending.mutate(kept)}>
            {t('verify.restored.send')}
          </Button>
        )
      )}
    </div>
  );
}
