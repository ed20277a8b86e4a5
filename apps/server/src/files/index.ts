import type { Handler } from '../edge/index.ts';
import type { Files } from './open-files.ts';
import { readPictureHandler } from './read-picture.ts';
import { uploadPictureHandler } from './upload-picture.ts';

export { type Files, openFiles } from './open-files.ts';

export function filesHandlers(files: Files): Handler[] {
  return [uploadPictureHandler(files), readPictureHandler(files)];
}
