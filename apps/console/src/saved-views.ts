import { openStoredChoice } from './stored-choice.ts';

/** A page with its tab and filter, saved under a name that the operator chose. */
interface SavedView {
  readonly page: string;
  readonly name: string;
  readonly filter: Readonly<Record<string, string>>;
}
type Views = readonly SavedView[];

export const VIEW_NAME_MAX = 40;
/** The limit per operator in this browser. */
const VIEWS_MAX = 50;

const isText = (value: unknown): value is string => typeof value === 'string';
const isView = (value: unknown): value is SavedView => {
  const { page, name, filter } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return isText(page) && isText(name) && Object.values((filter ?? {}) as object).every(isText);
};

export function parseViews(stored: unknown): Readonly<Record<string, Views>> {
  return Object.fromEntries(
    Object.entries((stored ?? {}) as Record<string, unknown>).map(([operator, views]) => [
      operator,
      Array.isArray(views) ? views.filter(isView) : [],
    ]),
  );
}

const same = (one: SavedView, other: SavedView): boolean => one.page === other.page && one.name === other.name;
export const withoutView = (views: Views, gone: SavedView): Views => views.filter((view) => !same(view, gone));
/** Replaces a view that has the same name on the page, and drops the oldest views beyond the limit. */
export const saveView = (views: Views, view: SavedView): Views => [...withoutView(views, view), view].slice(-VIEWS_MAX);

const choice = openStoredChoice('views', {}, parseViews);

export function useSavedViews(operator: string): [views: Views, change: (views: Views) => void] {
  const all = choice.use();
  return [all[operator] ?? [], (views) => choice.write({ ...all, [operator]: views })];
}
