import type { ReactNode } from 'react';

/** What is longer than its place: it takes the focus, so that arrow keys move it where it holds nothing to press. */
export function Scroll({ label, look = '', children }: { label: string; look?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus it could be scrolled by pointer only
    <section className={`${look} scroll`.trim()} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
