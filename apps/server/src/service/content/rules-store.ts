import { type Queries, statement } from '../../platform/database/index.ts';

const KEEP = statement(
  'content.keep_rules_text',
  'INSERT INTO content.rules_text (hash, subject, content) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING',
);
const READ = statement(
  'content.read_rules_text',
  'SELECT content FROM content.rules_text WHERE hash = $1 AND subject = $2',
);

/** The database recomputes the hash, so a text cannot be stored under another text's hash. */
export async function storeRulesText(queries: Queries, hash: string, subject: string, content: string): Promise<void> {
  await queries.query(KEEP, [hash, subject, content]);
}

export async function readRulesText(queries: Queries, hash: string, subject: string): Promise<string | undefined> {
  const [row] = await queries.query<{ content: string }>(READ, [hash, subject]);
  return row?.content;
}

const LIST = statement(
  'content.list_rules_texts',
  'SELECT hash, subject, content, at FROM content.rules_text ORDER BY at DESC LIMIT 200',
);

interface RulesRow {
  readonly hash: string;
  readonly subject: string;
  readonly content: string;
  readonly at: Date;
}
/** Every rules text that was ever in force, newest first. */
export const listRulesRows = (queries: Queries): Promise<RulesRow[]> => queries.query<RulesRow>(LIST);
