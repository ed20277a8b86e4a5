import { INTERVALS, KEY_REFUSALS, type LiveTopic, STREAM_REFUSALS, TOPICS } from '@sathorn/api';
import { LANGUAGES } from '@sathorn/text';
import type { Json, JsonObject } from './json.ts';
import { schemaOf } from './open-api.ts';
import { STREAM_PATH } from './stream.ts';

const ASYNCAPI_VERSION = '3.0.0';
/** The version of JSON Schema that AsyncAPI's own schemas extend. */
const SCHEMAS = 'draft-07';

const READER: JsonObject = { lang: { enum: [...LANGUAGES] }, presentation: { type: 'string', maxLength: 120 } };
const TIME: JsonObject = { type: 'string', format: 'date-time' };
const TOPIC_NAMES: JsonObject = { type: 'array', items: { type: 'string', maxLength: 64 }, maxItems: 64 };
const PARAMETERS: Readonly<Record<string, string>> = {
  code: '[A-Z0-9]{2,10}',
  interval: `(${INTERVALS.join('|')})`,
};

/** One frame: an object with `op` and these members. */
function frame(ops: readonly string[], members: JsonObject = {}, optional: readonly string[] = []): JsonObject {
  const required = ['op', ...Object.keys(members).filter((name) => !optional.includes(name))];
  return { type: 'object', required, properties: { op: { enum: [...ops] }, ...members } };
}

/** The name of a topic as a pattern: `candle:{code}:{interval}` has two parameters. */
const namePatternOf = ({ pattern }: LiveTopic): string =>
  `^${pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => PARAMETERS[name] ?? '.+')}$`;

const READERS = {
  anyone: 'Anybody may subscribe.',
  customer: 'Needs `auth` with a customer’s token, and has that customer’s data only.',
  operator: 'Needs `auth` with an operator’s token.',
} as const satisfies Record<LiveTopic['who'], string>;
const MERGED = {
  last: 'Each event is the whole state.',
  by_code: 'An event has the newest item of each coin that changed.',
  every: 'An event has the items that changed, oldest first.',
  reread: 'Each event is a snapshot.',
} as const satisfies Record<LiveTopic['merge'], string>;

function eventSchema(topic: LiveTopic): JsonObject {
  const event = schemaOf(topic.event, 'output', SCHEMAS);
  const isSame = topic.event === topic.snapshot;
  return {
    type: 'object',
    required: ['topic', 'data'],
    description: `${topic.summary} ${MERGED[topic.merge]} ${READERS[topic.who]}`,
    properties: {
      topic: { type: 'string', pattern: namePatternOf(topic) },
      data: isSame ? event : { anyOf: [event, schemaOf(topic.snapshot, 'output', SCHEMAS)] },
      snapshot: { const: true, description: 'Present if `data` is the whole state, as after a subscription.' },
    },
  };
}

/** The part of the description that says where the stream is. `url` is the platform's address. */
export const serversOf = (url: URL): JsonObject => ({
  here: { host: url.host, protocol: url.protocol === 'https:' ? 'wss' : 'ws' },
});

/** AsyncAPI 3 for the live stream, without `servers`, generated from the schemas with which apps read it. */
export function describeStream(title: string): JsonObject {
  const topics = Object.entries<LiveTopic>(TOPICS);
  const payloads: Record<string, JsonObject> = {
    auth: frame(['auth'], { token: { type: 'string', maxLength: 256 }, ...READER }, ['lang', 'presentation']),
    authByKey: frame(
      ['auth'],
      {
        key: { type: 'string', description: 'The id of an API key with the scope `read`.' },
        time: { type: 'string', pattern: '^[1-9][0-9]{12}$' },
        nonce: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
        signature: { type: 'string', description: `Over GET ${STREAM_PATH}, as /api/docs/keys describes it.` },
        ...READER,
      },
      ['lang', 'presentation'],
    ),
    subscribe: frame(['subscribe', 'unsubscribe'], { topics: TOPIC_NAMES }),
    ping: frame(['ping']),
    hello: frame(['hello'], { at: TIME }),
    pong: frame(['pong'], { at: TIME }),
    refused: frame(['refused'], { code: { enum: [...STREAM_REFUSALS, ...KEY_REFUSALS] }, topic: { type: 'string' } }, [
      'topic',
    ]),
    event: frame(['event'], {
      at: TIME,
      events: { type: 'array', items: { oneOf: topics.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) } },
    }),
  };
  const names = Object.keys(payloads);
  const onChannel = (name: string): Json => ({ $ref: `#/channels/stream/messages/${name}` });
  const operation = (action: 'send' | 'receive', summary: string, of: readonly string[]): JsonObject => ({
    action,
    summary,
    channel: { $ref: '#/channels/stream' },
    messages: of.map(onChannel),
  });
  return {
    asyncapi: ASYNCAPI_VERSION,
    info: {
      title: `${title}: the live stream`,
      version: '1.0.0',
      description:
        'A WebSocket with JSON texts. A subscription begins with the latest state of each topic, so a client goes on after a lost connection by subscribing again. The server sends at most one frame each 100 ms, with all changes.',
    },
    defaultContentType: 'application/json',
    channels: {
      stream: {
        address: STREAM_PATH,
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    // As the server sees it: it receives what clients send.
    operations: {
      receiveFrames: operation('receive', 'What a client sends.', ['auth', 'authByKey', 'subscribe', 'ping']),
      sendFrames: operation('send', 'What the server sends.', ['hello', 'pong', 'refused', 'event']),
    },
    components: {
      messages: Object.fromEntries(names.map((name) => [name, { name, payload: payloads[name] ?? {} }])),
      schemas: Object.fromEntries(topics.map(([name, topic]) => [name, eventSchema(topic)])),
    },
  };
}
