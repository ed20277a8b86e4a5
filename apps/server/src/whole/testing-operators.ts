import { randomUUID } from 'node:crypto';
import { listDemoOperators, loginOperator, startStepUp } from '@sathorn/api';
import { voterIdOf } from '@sathorn/proof';
import { readSecret } from '../platform/secrets.ts';
import { demoVoterOf, signAsDemoVoter } from '../staff/votes/index.ts';
import type { Envelope, TestForm, TestPlatform } from './testing-platform.ts';

/** Signs a demo operator in with the code that the demo's page shows. */
export async function signInDemoOperator(
  platform: TestPlatform,
  workName: string,
): Promise<{ readonly token: string; readonly fields: TestForm }> {
  const { answer: listed } = await platform.send(listDemoOperators);
  const people = listed.data as unknown as { work_name: string; password: string; code: string }[];
  const person = people.find(({ work_name }) => work_name === workName);
  if (!person) throw new Error(`${workName} is no demo operator`);
  const fields = { username: workName, password: person.password, code: person.code };
  const { answer } = await platform.send(loginOperator, fields);
  if (answer.ret !== 1) throw new Error(`${workName}: ${answer.msg}`);
  return { token: String(answer.data.token), fields };
}

/** Creates a signature of a person of the demo: the key and the signature that `confirmStepUp` would store. */
export function signAsDemoOperator(dataDir: string, vote: string): { readonly key: string; readonly proof: string } {
  const { operator } = JSON.parse(vote) as { operator: string };
  const secret = readSecret(dataDir, 'sessionKey');
  const { key } = demoVoterOf(secret, BigInt(operator), []);
  return { key: voterIdOf(key), proof: signAsDemoVoter(secret, BigInt(operator), vote) };
}

/** Confirms one decision. Inserts the row directly, because a code works only once per 30 seconds. */
export async function insertConfirmedStepUp(
  platform: TestPlatform,
  token: string,
  of: { readonly op: string; readonly id: string; readonly fingerprint: string },
): Promise<string> {
  const { answer } = await platform.send(startStepUp, of, { token, 'idempotency-key': randomUUID() });
  if (answer.ret !== 1) throw new Error(`step-up: ${answer.msg}`);
  const id = String(answer.data.step_up);
  const signed = typeof answer.data.vote === 'string' ? signAsDemoOperator(platform.dataDir, answer.data.vote) : null;
  await platform.test.database.query(
    {
      name: '',
      text: `UPDATE operators.challenge SET confirmed_at = clock_timestamp(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
    },
    [id, signed?.key ?? null, signed?.proof ?? null],
  );
  return id;
}

/** Makes a call; if it is a proposal, its maker signs what the server names, and the same request follows. */
export async function proposed(
  platform: TestPlatform,
  route: Parameters<TestPlatform['send']>[0],
  fields: TestForm | FormData,
  headers: Readonly<Record<string, string>>,
): Promise<Envelope> {
  const { answer } = await platform.send(route, fields, headers);
  const { code, params } = (answer.data ?? {}) as {
    code?: string;
    params?: Parameters<typeof insertConfirmedStepUp>[2];
  };
  if (code !== 'step_up_required' || params === undefined) return answer;
  const step_up = await insertConfirmedStepUp(platform, headers.token ?? '', params);
  return (await platform.send(route, { ...(fields as TestForm), step_up }, headers)).answer;
}
