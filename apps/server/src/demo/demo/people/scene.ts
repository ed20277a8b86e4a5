import type { DemoCast } from './cast.ts';
import type { Stage } from './stage.ts';

/**
 * A few calls that produce something to see. A scene may be played again after a crash in the middle. So each of its
 * calls must have no second effect, or be refused the second time.
 */
export interface DemoScene {
  readonly name: string;
  play(stage: Stage, cast: DemoCast): Promise<void>;
}
