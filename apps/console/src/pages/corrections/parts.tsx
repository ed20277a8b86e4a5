import type { CorrectionCase, LedgerTransfer } from '@sathorn/api';
import { Icon } from '@sathorn/ui';
import { Money } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { routeHash } from '../../route.ts';
import { useCorrectionTexts } from './texts.ts';

/** The checks of a proposal or of evidence, in the words of these pages. */
export function CheckList({
  checks,
}: {
  checks: readonly { readonly code: string; readonly ok: boolean; readonly value?: string | undefined }[];
}) {
  const { word } = useCorrectionTexts();
  return (
    <ul className="checks">
      {checks.map((check) => (
        <li key={check.code} className="chk">
          <span className={check.ok ? 'ok' : 'wa'}>
            <Icon name={check.ok ? 'check' : 'warning'} size={14} />
          </span>
          <span>{word('check', check.code)}</span>
          <span />
        </li>
      ))}
    </ul>
  );
}

/** Formats an account: the server's `spot nicha` gets the translated name of the account. */
export function useAccountText() {
  const { word } = useCorrectionTexts();
  return (text: string): string => {
    const [name = '', ...owner] = text.split(' ');
    return [word('account', name), ...owner].join(' ');
  };
}

export function CorrectionLegs({ legs, isPosted }: { legs: CorrectionCase['legs']; isPosted: boolean }) {
  const { b } = useCorrectionTexts();
  const accountText = useAccountText();
  const hasAfter = legs.some((leg) => leg.debit_after !== null);
  return (
    <ScrollRegion label={b(isPosted ? 'journal_posted' : 'journal_preview')}>
      <table className="s wraps">
        <thead>
          <tr>
            <th>{b(isPosted ? 'journal_posted' : 'journal_preview')}</th>
            <th>{b('debit')}</th>
            <th>{b('credit')}</th>
            <th className="num">{legs[0]?.asset}</th>
            {hasAfter && <th className="num">{b('debit_after')}</th>}
            {hasAfter && <th className="num">{b('credit_after')}</th>}
          </tr>
        </thead>
        <tbody>
          {legs.map((leg, place) => (
            <tr key={`${leg.debit} ${leg.credit}`}>
              <td className="mono">
                {place + 1}/{legs.length}
              </td>
              <td>{accountText(leg.debit)}</td>
              <td>{accountText(leg.credit)}</td>
              <td className="num b">
                <Money of={leg.amount} asset={leg.asset} />
              </td>
              {hasAfter && (
                <td className="num">
                  {leg.debit_after === null ? '–' : <Money of={leg.debit_after} asset={leg.asset} />}
                </td>
              )}
              {hasAfter && (
                <td className="num">
                  {leg.credit_after === null ? '–' : <Money of={leg.credit_after} asset={leg.asset} />}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

export function AccountCell({ account }: { account: LedgerTransfer['debit'] }) {
  const { word } = useCorrectionTexts();
  return (
    <>
      {word('account', account.name)}
      {account.customer && (
        <>
          {' '}
          <a href={routeHash('customers', account.customer.id)}>
            <bdi>{account.customer.username}</bdi>
          </a>
        </>
      )}
    </>
  );
}
