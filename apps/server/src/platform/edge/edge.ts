import type { Call } from '@sathorn/api';
import type { Bus } from '../bus/index.ts';
import type { Clock, ElapsedMs } from '../clock.ts';
import type { Acknowledge, ApiKeys, Handler, TakeOrdered } from './handle.ts';
import type { CheckReadiness, HealthCondition } from './health.ts';
import type { EdgeLimits, HttpLimits, HttpTimeouts } from './limits.ts';
import type { Metrics } from './metrics.ts';
import type { PageFolders } from './pages.ts';
import type { ProxyHops } from './proxy-hops.ts';
import type { OperatorSessions, Sessions } from './sessions.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { TopicSource } from './topic-source.ts';

export interface EdgeDependencies {
  readonly handlers: readonly Handler[];
  readonly sessions: Sessions;
  /** Without it, no one can sign in as an operator. */
  readonly operators?: OperatorSessions;
  readonly clock: Clock;
  /** The clock for limits that are kept in memory; tests control it. */
  readonly elapsedMs?: ElapsedMs;
  readonly bus: Bus;
  readonly topics: readonly TopicSource[];
  readonly mode: 'demo' | 'live';
  /** False for calls that do not exist on this platform; by default all of the mode's do. */
  readonly isOffered?: (call: Call) => boolean;
  /** The deployment's name on the developer pages. */
  readonly title: string;
  readonly readiness: CheckReadiness;
  readonly condition?: () => HealthCondition;
  readonly folders: PageFolders;
  /** Receives complete faults and bugs for the log; `where` is the route. */
  readonly report: (error: unknown, where: string) => void;
  /** Without it, answers are not signed. */
  readonly acknowledge?: Acknowledge;
  /** Without it, signatures of customers' devices are ignored. */
  readonly takeOrdered?: TakeOrdered;
  /** Without it, every API key is unknown. */
  readonly apiKeys?: ApiKeys;
  readonly metrics?: Metrics;
  readonly metricsToken?: string;
  /** Customers reach the server by https; browsers are then told never to use http. */
  readonly isHttps?: boolean;
  readonly proxyHops?: ProxyHops;
  /** Other origins whose pages may make calls, such as `https://app.example`. */
  readonly allowedOrigins?: readonly string[];
  /** Our own addresses. Null accepts any host name. */
  readonly ownUrls?: readonly string[] | null;
  /** The console's address if it has a host name of its own; null if one host serves both apps. */
  readonly consoleUrl?: string | null;
  readonly limits?: Partial<EdgeLimits>;
  readonly httpLimits?: Partial<HttpLimits>;
  readonly streamLimits?: Partial<StreamLimits>;
  readonly timeouts?: Partial<HttpTimeouts>;
}

export interface Edge {
  /** Resolves to the base URL. Port 0 chooses a free one. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Closes idle connections at once and lets running requests finish, for at most `graceMs`. */
  close(graceMs?: number): Promise<void>;
}
