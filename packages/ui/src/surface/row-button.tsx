import type { ComponentProps } from 'react';
import './row-button.css';

/**
 * What makes a whole row a button, where the row has figures that change by themselves. Its name is only what stands in
 * it: were the figures part of it, a screen reader would say the row again with every change. The row itself is
 * `position: relative`.
 */
export function RowButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button {...rest} type="button" className={`ui-row-button ${className}`} />;
}
