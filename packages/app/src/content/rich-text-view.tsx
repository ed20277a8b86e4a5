import { isPictureId, linkKind, pictureUrl, type RichBlock, type RichInline, type RichText } from '@sathorn/api';
import { keepWordsWhole } from '@sathorn/text';
import type { ReactNode } from 'react';
import './rich-text-view.css';

type OnPage = (path: string) => void;

/** Draws text as React elements, never as HTML. A link that is not allowed is drawn as plain text. */
function Words({ inlines, onPage }: { inlines: readonly RichInline[]; onPage: OnPage | undefined }) {
  return inlines.map(({ text, bold, italic, link }, place) => {
    const slanted: ReactNode = italic ? <i>{keepWordsWhole(text)}</i> : keepWordsWhole(text);
    const words = bold ? <b>{slanted}</b> : slanted;
    const kind = link === undefined ? null : linkKind(link);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: places within a text that never changes
      <span key={place}>
        {kind === 'page' ? (
          <a
            href={`#${link}`}
            onClick={(event) => {
              event.preventDefault();
              onPage?.(link ?? '');
            }}
          >
            {words}
          </a>
        ) : kind === 'https' ? (
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            {words}
          </a>
        ) : (
          words
        )}
      </span>
    );
  });
}

function Part({ block, onPage }: { block: RichBlock; onPage: OnPage | undefined }) {
  const of = (inlines: readonly RichInline[]) => <Words inlines={inlines} onPage={onPage} />;
  // biome-ignore-start lint/suspicious/noArrayIndexKey: places within a text that never changes
  switch (block.kind) {
    case 'heading':
      return <h2>{of(block.inlines)}</h2>;
    case 'list': {
      const items = block.items.map((item, place) => <li key={place}>{of(item)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'picture':
      return isPictureId(block.id) ? <img src={pictureUrl(block.id)} alt={block.alt} loading="lazy" /> : null;
    case 'table': {
      const [head = [], ...rows] = block.rows;
      return (
        <div className="rich-table">
          <table>
            <thead>
              <tr>
                {head.map((cell, place) => (
                  <th key={place} scope="col">
                    {of(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                <tr key={place}>
                  {row.map((cell, at) => (
                    <td key={at}>{of(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case 'paragraph':
      return <p>{of(block.inlines)}</p>;
  }
  // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
}

/** Draws a text written by an operator. `onPage` is called for links within the app. */
export function RichTextView({ tree, onPage }: { tree: RichText; onPage?: OnPage }) {
  return (
    <div className="rich">
      {tree.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places within a text that never changes
        <Part key={place} block={block} onPage={onPage} />
      ))}
    </div>
  );
}
