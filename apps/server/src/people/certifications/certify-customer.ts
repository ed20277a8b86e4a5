import { randomBytes } from 'node:crypto';
import { certifyCustomer, type ParsedRequestOf, type RefusalOf } from '@sathorn/api';
import {
  type DocumentSide,
  type DocumentType,
  faultOfBirth,
  faultOfExpiry,
  faultOfNumber,
  isPersonName,
  normaliseDocumentNumber,
  SIDES_OF_DOCUMENT,
} from '@sathorn/identity';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { applicationSealContext, type CertifiedPerson, documentDigestOf, unsealPerson } from './certification.ts';
import {
  type ApplicationRow,
  type CertificationLevel,
  insertApplication,
  lockApplicant,
  readApplicationPictures,
  readLatestApplications,
} from './certification-store.ts';
import type { CertificationsModule } from './certifications.ts';
import { viewCertification } from './read-certification.ts';

type Request = ParsedRequestOf<typeof certifyCustomer>;
type Refusal = RefusalOf<typeof certifyCustomer>;

interface Typed {
  readonly type: DocumentType;
  readonly person: CertifiedPerson;
}

/** Decides whether the customer may apply for this level now. */
function decideLevel(
  level: CertificationLevel,
  { primary, advanced }: { primary: ApplicationRow | null; advanced: ApplicationRow | null },
): Decision<ApplicationRow | null, Refusal> {
  if (level === 'advanced' && primary?.state !== 'verified') return refuse('primary_required');
  const latest = level === 'primary' ? primary : advanced;
  if (latest?.state === 'review') return refuse('certification_in_review');
  if (latest?.state === 'verified') return refuse('certification_done');
  if (latest?.state === 'refused') return refuse('certification_refused');
  return accept(latest);
}

/** Takes each field from the request, or otherwise from the application that was sent back. */
function decidePerson(request: Request, kept: Typed | null, today: string): Decision<Typed, Refusal> {
  const { level } = request;
  const type = request.type ?? kept?.type;
  const name = request.name ?? kept?.person.name;
  const number = request.number === undefined ? kept?.person.number : normaliseDocumentNumber(request.number);
  const birthDate = request.birth_date ?? kept?.person.birthDate;
  const expires = level === 'primary' ? null : (request.expires ?? kept?.person.expires);
  if (type === undefined) return refuse('field_required', { field: 'type' });
  if (name === undefined) return refuse('field_required', { field: 'name' });
  if (!isPersonName(name)) return refuse('real_name_malformed', { field: 'name' });
  if (number === undefined) return refuse('field_required', { field: 'number' });
  const numberFault = faultOfNumber(type, number);
  if (numberFault) return refuse(numberFault, { field: 'number' });
  if (birthDate === undefined) return refuse('field_required', { field: 'birth_date' });
  const birthFault = faultOfBirth(birthDate, today);
  if (birthFault) return refuse(birthFault, { field: 'birth_date' });
  if (expires === undefined) return refuse('field_required', { field: 'expires' });
  const expiryFault = expires === null ? null : faultOfExpiry(type, expires, today);
  if (expiryFault) return refuse(expiryFault, { field: 'expires' });
  return accept({ type, person: { name, number, birthDate, expires } });
}

export function certifyCustomerHandler(module: CertificationsModule): Handler {
  const { database, files, sealer, timeZone } = module;

  /** Takes new pictures from the request, and accepted ones from the application that was sent back. */
  const decidePictures = async (
    customer: bigint,
    request: Request,
    type: DocumentType,
    before: ApplicationRow | null,
    now: Date,
  ): Promise<Decision<ReadonlyMap<DocumentSide, string>, Refusal>> => {
    const pictures = new Map<DocumentSide, string>();
    if (request.level === 'primary') return accept(pictures);
    const isSameDocument = before?.document_type === type;
    const kept = isSameDocument ? await readApplicationPictures(database, [before.id]) : [];
    const sides = SIDES_OF_DOCUMENT[type];
    for (const side of sides) {
      const file = kept.find((picture) => picture.side === side)?.file;
      if (request[side] === undefined && (file === undefined || before?.sides.includes(side)))
        return refuse('side_missing', { field: side });
      if (file !== undefined) pictures.set(side, file);
    }
    // Runs after all checks: a refused application leaves the uploads unchanged.
    for (const side of sides) {
      const upload = request[side];
      if (upload === undefined) continue;
      const document = await files.keepAsDocument(customer, upload, now);
      if (!document.ok) return document;
      if (document.effect === null) return refuse('picture_unknown', { field: side });
      pictures.set(side, document.effect);
    }
    return accept(pictures);
  };

  return handle(certifyCustomer, async ({ request, customer: { id: customer }, now }) => {
    const { level } = request;
    const allowed = decideLevel(level, await readLatestApplications(database, customer));
    if (!allowed.ok) return allowed;
    const before = allowed.effect;
    const kept = before && { type: before.document_type, person: unsealPerson(sealer, before) };
    const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
    const typed = decidePerson(request, kept, today);
    if (!typed.ok) return typed;
    const { type, person } = typed.effect;
    const pictures = await decidePictures(customer, request, type, before, now);
    if (!pictures.ok) return pictures;

    const done = await database.transaction(async (transaction): Promise<Decision<null, Refusal>> => {
      await lockApplicant(transaction, customer);
      const still = decideLevel(level, await readLatestApplications(transaction, customer));
      if (!still.ok) return still;
      const row = { id: randomBytes(16).toString('base64url'), level, submitted_at: now };
      const sealed = sealer.seal(customer, applicationSealContext(row), Buffer.from(JSON.stringify(person)));
      const digest = documentDigestOf(sealer, type, person.number);
      await insertApplication(transaction, { ...row, customer, document_type: type, sealed, digest }, pictures.effect);
      return accept(null);
    });
    if (!done.ok) return done;
    return accept(await viewCertification(module, customer));
  });
}
