import './avatar.css';

/** The picture, or else the initials. */
export function Avatar({
  name,
  picture,
  size = 52,
}: {
  name: string;
  picture?: string | null | undefined;
  size?: number;
}) {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, '')].slice(0, 2).join('').toUpperCase();
  return (
    <span className="ui-avatar" style={{ inlineSize: size, blockSize: size, fontSize: size * 0.36 }} aria-hidden="true">
      {picture ? <img src={picture} alt="" width={size} height={size} /> : letters}
    </span>
  );
}

const COIN_COLOURS: Record<string, string> = {
  BTC: '#b8650a',
  ETH: '#5667dd',
  SOL: '#0c7d6b',
  BNB: '#8f6b00',
  XRP: '#3c4650',
  DOGE: '#8a6d1d',
  ADA: '#1f53c4',
  TRX: '#c22a38',
  USDT: '#1a7f62',
};

/** A coin's mark: its first letter on the coin's colour. */
export function CoinMark({ code, size = 34 }: { code: string; size?: number }) {
  return (
    <span
      className="ui-coin"
      style={{
        inlineSize: size,
        blockSize: size,
        background: COIN_COLOURS[code] ?? 'var(--wood-2)',
        fontSize: size * 0.36,
      }}
      aria-hidden="true"
    >
      {code.slice(0, 1)}
    </span>
  );
}
