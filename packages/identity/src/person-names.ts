/** Titles in front of a name: banks print them, documents may not. */
const TITLES = /^(?:นางสาว|น\.ส\.|นาง|นาย|ด\.ช\.|ด\.ญ\.|mr\.?|mrs\.?|ms\.?|miss)\s*/iu;

/** What remains of a name when spelling of spaces, case, marks and title are put aside. */
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

/** Whether two spellings are one person's name: the order of its parts counts, title, case and spaces don't. */
export function isSameName(one: string, other: string): boolean {
  return core(one) !== '' && core(one) === core(other);
}

/** A full name as a document has it: at least two letters, and nothing that no name contains. */
export function isPersonName(name: string): boolean {
  return /^[\p{L}\p{M}][\p{L}\p{M} .'’-]*$/u.test(name) && (name.match(/\p{L}/gu)?.length ?? 0) >= 2;
}
