import { Facts } from '../../parts/parts.tsx';
import { useWithdrawalTexts } from '../withdrawals/texts.ts';
import type { BodyProps } from './bodies.tsx';
import { decimalOf, textIn } from './contents.ts';

/** A transaction that the signer has not signed, and the payments that two people assign to it. */
export default function ForeignBody({ shown: { content } }: BodyProps) {
  const { say, word } = useWithdrawalTexts();
  const transfers = (Array.isArray(content.transfers) ? content.transfers : []) as Record<string, string | null>[];
  return (
    <Facts
      facts={[
        [
          say('foreign.hash'),
          <span key="hash" className="mono">
            {textIn(content, 'hash')}
          </span>,
        ],
        ['nonce', textIn(content, 'nonce')],
        [
          '→',
          <span key="to" className="mono">
            {textIn(content, 'to')}
          </span>,
        ],
        ['wei', textIn(content, 'value')],
        ...transfers.map(({ output, to, units, purpose, withdrawal, customer }): [string, React.ReactNode] => [
          `${decimalOf(units ?? '0', 'USDT')} USDT`,
          <span key={output}>
            → <span className="mono">{to}</span> · {word('foreign', purpose ?? '')} {withdrawal ?? customer}
          </span>,
        ]),
      ]}
    />
  );
}
