import type { Cast } from './cast.ts';
import type { Stage } from './stage.ts';

/**
 * A few calls that produce something to see. A scene may be played again after a crash in the middle. So each of its
 * calls must have no second effect, or be refused the second time.
 */
export interface Scene {
  readonly name: string;
  play(stage: Stage, cast: Cast): Promise<void>;
}
