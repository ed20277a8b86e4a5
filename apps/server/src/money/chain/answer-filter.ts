/**
 * Keeps, replaces or (undefined) drops one item of a list in an answer. `place` is the item's place in its list. Only
 * this item of the answer is in memory.
 */
export type KeepItem = (item: unknown, place: number) => unknown;

interface AnswerFilter {
  take(text: string): void;
  /** The number of characters in memory. */
  size(): number;
  /** Returns the answer as JSON, with the kept items only. */
  end(): string;
}

interface List {
  readonly isList: boolean;
  places: number;
  hasEmitted: boolean;
  isAfterComma: boolean;
}

/**
 * Reads an answer as it arrives and passes each object of a list to `keep`. Strangers decide how many events a block
 * has; with the filter, the reader holds only those that it wants. A list at the top is a batch: its members are
 * answers and not items.
 */
export function openAnswerFilter(keep: KeepItem): AnswerFilter {
  const open: List[] = [];
  let out = '';
  /** The text of the current item, as far as it has arrived. */
  let item = '';
  /** The number of open brackets within the current item; 0 outside an item. */
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  const isItemsOwn = (): boolean => open.length > 1 && open.at(-1)?.isList === true;

  const emit = (text: string): void => {
    const list = open.at(-1);
    if (list?.isList && open.length > 1) {
      if (list.isAfterComma && list.hasEmitted) out += ',';
      list.isAfterComma = false;
      list.hasEmitted = true;
    }
    out += text;
  };

  const endItem = (): void => {
    const list = open.at(-1);
    const kept = keep(JSON.parse(item), list ? list.places++ : 0);
    item = '';
    if (kept !== undefined) emit(JSON.stringify(kept));
  };

  /** Processes the text from `from` to `to`, which contains no bracket or comma outside strings. */
  const pass = (text: string, from: number, to: number): void => {
    const part = text.slice(from, to);
    if (depth > 0) item += part;
    else if (part.trim() === '') out += part;
    else emit(part);
  };

  const take = (text: string): void => {
    let from = 0;
    let backslash = text.indexOf('\\');
    for (let at = 0; at < text.length; at += 1) {
      if (isInString) {
        if (isEscaped) {
          isEscaped = false;
          continue;
        }
        const quote = text.indexOf('"', at);
        if (backslash >= 0 && backslash < at) backslash = text.indexOf('\\', at);
        if (backslash >= 0 && (quote < 0 || backslash < quote)) {
          isEscaped = true;
          at = backslash;
        } else if (quote >= 0) {
          isInString = false;
          at = quote;
        } else break;
        continue;
      }
      const character = text[at];
      if (character === '"') {
        isInString = true;
      } else if (character === '{' || character === '[') {
        if (depth > 0) depth += 1;
        else {
          pass(text, from, at);
          from = at;
          if (character === '{' && isItemsOwn()) depth = 1;
          else {
            emit(character);
            from = at + 1;
            open.push({ isList: character === '[', places: 0, hasEmitted: false, isAfterComma: false });
          }
        }
      } else if (character === '}' || character === ']') {
        if (depth === 0) {
          pass(text, from, at);
          out += character;
          open.pop();
          from = at + 1;
        } else {
          depth -= 1;
          if (depth === 0) {
            item += text.slice(from, at + 1);
            from = at + 1;
            endItem();
          }
        }
      } else if (character === ',' && depth === 0 && isItemsOwn()) {
        pass(text, from, at);
        from = at + 1;
        const list = open.at(-1);
        if (list) list.isAfterComma = true;
      }
    }
    pass(text, from, text.length);
  };

  return { take, size: () => out.length + item.length, end: () => out };
}
