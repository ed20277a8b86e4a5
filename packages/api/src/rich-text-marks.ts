import { isPictureId, type RichBlock, type RichInline, type RichText } from './rich-text.ts';

// The marks that people type for rich text: `## ` for a heading, `- ` and `1. ` for lists, `| a | b |` for a table row,
// **bold**, *italic*, [words](link), ![description](picture). A backslash escapes the next character. Only the tree is
// stored.

const LINK = /^\[((?:\\.|[^\]\\])+)\]\(([^()\s]+)\)/;
const PICTURE = /^!\[((?:\\.|[^\]\\])*)\]\(([^()\s]+)\)$/;
const ITEM = /^(?:-|([0-9]{1,2})\.) +(.*)$/;
const ROW = /^\|(.*)\|$/;

const plainOf = (text: string): string => text.replaceAll(/\\(.)/g, '$1');
const escapeMarks = (text: string): string => text.replaceAll(/[\\*[\]|]/g, '\\$&');

function parseInlines(text: string): RichInline[] {
  const made: RichInline[] = [];
  let [bold, italic, plain] = [false, false, ''];
  const marks = () => ({ ...(bold && { bold: true as const }), ...(italic && { italic: true as const }) });
  const flush = (): void => {
    if (plain !== '') made.push({ text: plain, ...marks() });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const link = LINK.exec(rest);
    if (rest.startsWith('\\') && rest.length > 1) {
      plain += rest[1];
      at += 2;
    } else if (rest.startsWith('**')) {
      flush();
      bold = !bold;
      at += 2;
    } else if (rest.startsWith('*')) {
      flush();
      italic = !italic;
      at += 1;
    } else if (link?.[1] !== undefined && link[2] !== undefined) {
      flush();
      made.push({ text: plainOf(link[1]), ...marks(), link: link[2] });
      at += link[0].length;
    } else {
      plain += rest[0];
      at += 1;
    }
  }
  flush();
  return made;
}

const cellsOf = (row: string): string[] => row.split(/(?<!\\)\|/).map((cell) => cell.trim());

function parseGroup(lines: readonly string[]): RichBlock[] {
  const [first = ''] = lines;
  const picture = PICTURE.exec(first);
  if (picture?.[2] !== undefined && isPictureId(picture[2]))
    return [
      { kind: 'picture', id: picture[2], alt: plainOf(picture[1] ?? '') },
      ...(lines.length > 1 ? parseGroup(lines.slice(1)) : []),
    ];
  if (first.startsWith('## '))
    return [
      { kind: 'heading', inlines: parseInlines(first.slice(3).trim()) },
      ...(lines.length > 1 ? parseGroup(lines.slice(1)) : []),
    ];
  const isItem = lines.map((line) => ITEM.test(line));
  const isRow = lines.map((line) => ROW.test(line));
  const until = isItem[0] ? isItem.indexOf(false) : isRow[0] ? isRow.indexOf(false) : isItem.indexOf(true);
  const [own, after] = until === -1 ? [lines, []] : [lines.slice(0, until), lines.slice(until)];
  const made: RichBlock = isItem[0]
    ? {
        kind: 'list',
        ordered: /^[0-9]/.test(first),
        items: own.map((line) => parseInlines(ITEM.exec(line)?.[2]?.trim() ?? '')),
      }
    : isRow[0]
      ? { kind: 'table', rows: own.map((line) => cellsOf(ROW.exec(line)?.[1] ?? '').map(parseInlines)) }
      : { kind: 'paragraph', inlines: parseInlines(own.join(' ')) };
  return [made, ...(after.length > 0 ? parseGroup(after) : [])];
}

/** Parses typed text into a tree. Anything that is not a mark is plain text. */
export function parseMarks(text: string): RichText {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((group) =>
      group
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    )
    .filter((lines) => lines.length > 0)
    .flatMap(parseGroup);
}

function writeInlines(inlines: readonly RichInline[]): string {
  return inlines
    .map(({ text, bold, italic, link }) => {
      const words = link === undefined ? escapeMarks(text) : `[${escapeMarks(text)}](${link})`;
      const slanted = italic ? `*${words}*` : words;
      return bold ? `**${slanted}**` : slanted;
    })
    .join('');
}

/** Writes a tree back as text with marks. */
export function writeMarks(tree: RichText): string {
  return tree
    .map((one) => {
      switch (one.kind) {
        case 'heading':
          return `## ${writeInlines(one.inlines)}`;
        case 'list':
          return one.items.map((item, n) => `${one.ordered ? `${n + 1}.` : '-'} ${writeInlines(item)}`).join('\n');
        case 'picture':
          return `![${escapeMarks(one.alt)}](${one.id})`;
        case 'table':
          return one.rows.map((row) => `| ${row.map(writeInlines).join(' | ')} |`).join('\n');
        default:
          return writeInlines(one.inlines);
      }
    })
    .join('\n\n');
}
