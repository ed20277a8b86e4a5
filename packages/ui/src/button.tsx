import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /**
   * `brand` is a screen's main action; `buy` and `sell` are trades; `soft` is the secondary action; `plain` looks like
   * text.
   */
  look?: 'brand' | 'soft' | 'buy' | 'sell' | 'danger' | 'plain';
  size?: 'large' | 'small';
  icon?: IconName;
  /** A request is in flight: shows a spinner, keeps the width and ignores presses. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({
  look = 'brand',
  size = 'large',
  icon,
  busy = false,
  children,
  disabled,
  type,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className="ui-button"
      data-look={look}
      data-size={size}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? (
        <span className="ui-button-spinner" aria-hidden="true" />
      ) : (
        icon && <Icon name={icon} size={size === 'large' ? 20 : 17} />
      )}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  icon: IconName;
  label: string;
  /** The icon points in the reading direction, so it is mirrored in Arabic. */
  flip?: boolean;
  size?: number;
  /** A small dot that marks something new. */
  dot?: boolean;
}

export function IconButton({ icon, label, flip = false, size = 22, dot = false, type, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type={type ?? 'button'} className="ui-icon-button" aria-label={label} title={label}>
      <Icon name={icon} size={size} flip={flip} />
      {dot && <span className="ui-icon-button-dot" />}
    </button>
  );
}
