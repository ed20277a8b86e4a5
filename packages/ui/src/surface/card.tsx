import type { ComponentProps, ReactNode } from 'react';
import './card.css';

interface CardProps extends ComponentProps<'section'> {
  look?: 'paper' | 'wood' | 'brand';
  /** Omits the space above the first row and below the last, for lists of rows. */
  tight?: boolean;
}

export function Card({ look = 'paper', tight = false, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={className ? `ui-card ${className}` : 'ui-card'}
      data-look={look}
      data-tight={tight ? '' : undefined}
    />
  );
}

export function CardHead({ title, trail }: { title: string; trail?: ReactNode }) {
  return (
    <div className="ui-card-head">
      <h2>{title}</h2>
      {trail}
    </div>
  );
}
