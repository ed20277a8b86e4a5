import { Facts } from '../../parts/parts.tsx';
import { useWithdrawalTexts } from '../withdrawals/texts.ts';
import type { BodyProps } from './bodies.tsx';
import { decimalOf, textIn } from './contents.ts';

/** A transaction that was sent with the house's key by hand, as the chain shows it. */
export default function ForeignBody({ shown: { content } }: BodyProps) {
  const { say, word } = useWithdrawalTexts();
  const transfers = (Array.isArray(content.transfers) ? content.transfers : []) as Record<string, string>[];
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
        ...transfers.map(({ output = '', to = '', units = '0', purpose = '' }): [string, React.ReactNode] => [
          `${decimalOf(units, 'USDT')} USDT`,
          <span key={output}>
            → <span className="mono">{to}</span> · {word('foreign', purpose)}
          </span>,
        ]),
      ]}
    />
  );
}
