import { type Queries, statement } from '../../../platform/database/index.ts';

const LIST = statement('demo.list_scenes', 'SELECT name FROM demo.scene');
const INSERT = statement(
  'demo.insert_scene',
  'INSERT INTO demo.scene (name) VALUES ($1) ON CONFLICT (name) DO NOTHING',
);

export async function readPlayedScenes(queries: Queries): Promise<Set<string>> {
  return new Set((await queries.query<{ name: string }>(LIST)).map(({ name }) => name));
}

export async function markScenePlayed(queries: Queries, name: string): Promise<void> {
  await queries.query(INSERT, [name]);
}
