import { listDemoOperators, loginOperator } from '@sathorn/api';
import type { Form, TestPlatform } from '../testing-platform.ts';

/** Signs a demo operator in, as a person would who reads the page of the demonstration. */
export async function enterAs(
  platform: TestPlatform,
  workName: string,
): Promise<{ readonly token: string; readonly fields: Form }> {
  const { answer: listed } = await platform.send(listDemoOperators);
  const people = listed.data as unknown as { work_name: string; password: string; code: string }[];
  const person = people.find(({ work_name }) => work_name === workName);
  if (!person) throw new Error(`${workName} is no demo operator`);
  const fields = { username: workName, password: person.password, code: person.code };
  const { answer } = await platform.send(loginOperator, fields);
  if (answer.ret !== 1) throw new Error(`${workName}: ${answer.msg}`);
  return { token: String(answer.data.token), fields };
}
