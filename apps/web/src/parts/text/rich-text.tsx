import { keepWordsWhole } from '@sathorn/text';
import './rich-text.css';

/**
 * Plain text from the server: paragraphs separated by blank lines; a paragraph's first line is its heading if more
 * lines follow.
 */
export function RichText({ text }: { text: string }) {
  return (
    <div className="rich-text">
      {keepWordsWhole(text)
        .split(/\n\s*\n/)
        .map((block) => {
          const [headline, ...rest] = block.split('\n');
          return rest.length === 0 ? (
            <p key={block}>{headline}</p>
          ) : (
            <section key={block}>
              <h3>{headline}</h3>
              <p>{rest.join('\n')}</p>
            </section>
          );
        })}
    </div>
  );
}
