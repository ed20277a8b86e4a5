import type { ComponentProps } from 'react';
import './row-button.css';

/**
 * Makes a whole row a button, for rows with figures that change by themselves. The button's name is only its own text:
 * if it included the figures, a screen reader would repeat the row with every change. The row itself is `position:
 * relative`.
 */
export function RowButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button {...rest} type="button" className={`ui-row-button ${className}`} />;
}
