export type { Files } from './files.ts';
export { NOBODY, openFiles, ownerOfStaff } from './open-files.ts';
