export { type Files, NOBODY, openFiles, ownerOfStaff } from './open-files.ts';
