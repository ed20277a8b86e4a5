export type { Files } from './files.ts';
export { NO_OWNER, openFiles, ownerOfStaff } from './open-files.ts';
