import type { DepositChannel } from '@sathorn/api';
import './chain-mark.css';

type Chain = NonNullable<DepositChannel['chain']>;

/** Chain marks by the beginning of the chain's code. Other chains get the brand's wood tone. */
const MARKS: readonly (readonly [code: RegExp, letter: string, colour: string])[] = [
  [/^eth|sepolia/, 'Ξ', '#4f5bd5'],
  [/^bsc|bnb/, 'B', '#8f6b00'],
  [/^pol|matic/, 'P', '#7b3fe4'],
  [/^arb/, 'A', '#2d6cdf'],
  [/^base/, 'B', '#1652f0'],
];

/** A chain's mark: a letter on the chain's colour. */
export function ChainMark({ chain, size = 38 }: { chain: Pick<Chain, 'code' | 'name'>; size?: number }) {
  const known = MARKS.find(([code]) => code.test(chain.code));
  const [, letter, colour] = known ?? [null, chain.name.slice(0, 1).toUpperCase(), 'var(--wood-2)'];
  return (
    <span
      className="chain-mark"
      aria-hidden="true"
      style={{ inlineSize: size, blockSize: size, background: colour, fontSize: size * 0.42 }}
    >
      {letter}
    </span>
  );
}

/** The mark with the chain's name and token standard. */
export function ChainName({ chain }: { chain: Chain }) {
  return (
    <span className="marked-name">
      <ChainMark chain={chain} />
      <span>
        <b>
          <bdi>{chain.name}</bdi>
        </b>
        <span className="cap">
          <bdi>{chain.standard}</bdi>
        </span>
      </span>
    </span>
  );
}
