import { WORD_JOINER } from '@sathorn/text';

/**
 * Copies selections without the characters that keep words on one line. With them, a pasted number of a withdrawal
 * would not be found.
 */
export function followCopies(): void {
  document.addEventListener('copy', (event) => {
    const selected = `${getSelection()}`;
    // A selection without them keeps its formatting.
    if (!selected.includes(WORD_JOINER)) return;
    event.clipboardData?.setData('text/plain', selected.replaceAll(WORD_JOINER, ''));
    event.preventDefault();
  });
}
