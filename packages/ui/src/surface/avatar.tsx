import { COIN_COLOURS } from './coin-colours.ts';
import './avatar.css';

/** Shows the picture, or the initials if there is none. */
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

/** One file with a view for each coin. On a first visit, requesting eight files would cost more than their content. */
const PICTURES = new URL('./coins.svg', import.meta.url).href;

/** Shows a coin's picture over its letter in the coin's colour. A coin without a picture shows only the letter. */
export function CoinMark({ code, size = 34 }: { code: string; size?: number }) {
  const colour = COIN_COLOURS[code];
  return (
    <span
      className="ui-coin"
      style={{ inlineSize: size, blockSize: size, fontSize: size * 0.36, background: colour }}
      aria-hidden="true"
    >
      {code.slice(0, 1)}
      {colour && (
        <img
          key={code}
          src={`${PICTURES}#${code.toLowerCase()}`}
          alt=""
          width={size}
          height={size}
          onError={(event) => {
            event.currentTarget.hidden = true;
          }}
        />
      )}
    </span>
  );
}
