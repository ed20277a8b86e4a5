import type { ReactNode } from 'react';
import './banner.css';

/** A banner: a headline and a line of text on the brand's colour, with a picture at the end of the row. */
export function Banner({
  title,
  text,
  art,
  onPress,
}: {
  title: string;
  text: string;
  art?: ReactNode;
  onPress?: (() => void) | undefined;
}) {
  const content = (
    <>
      {art}
      <b>{title}</b>
      <span>{text}</span>
    </>
  );
  return onPress ? (
    <button type="button" className="home-banner" onClick={onPress}>
      {content}
    </button>
  ) : (
    <div className="home-banner">{content}</div>
  );
}
