/** Titles before a name: banks print them, documents may not. */
const TITLES = /^(?:นางสาว|น\.ส\.|นาง|นาย|ด\.ช\.|ด\.ญ\.|mr\.?|mrs\.?|ms\.?|miss)\s*/iu;

/** A name without titles, case, marks and spacing, for comparison. */
function core(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(TITLES, '')
    .replace(/[.\-'’]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLocaleLowerCase('en');
}

/** Whether two spellings are the same person's name. The order of the parts counts; title, case and spaces don't. */
export function isSameName(one: string, other: string): boolean {
  return core(one) !== '' && core(one) === core(other);
}

/** A full name as in a document: at least two letters, and only characters that names contain. */
export function isPersonName(name: string): boolean {
  return /^[\p{L}\p{M}][\p{L}\p{M} .'’-]*$/u.test(name) && (name.match(/\p{L}/gu)?.length ?? 0) >= 2;
}
