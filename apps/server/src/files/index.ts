export { type Files, openFiles, ownerOfStaff } from './open-files.ts';
