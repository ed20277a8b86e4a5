import { type ResultOf, readCertification } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { CERTIFICATION_HOURS, certificationViewOf } from './certification.ts';
import { type ApplicationRow, readApplicationPictures, readLatestApplications } from './certification-store.ts';
import type { CertificationsModule } from './certifications.ts';

export async function viewCertification(
  module: CertificationsModule,
  customer: bigint,
): Promise<ResultOf<typeof readCertification>> {
  const { primary, advanced } = await readLatestApplications(module.database, customer);
  const rows = [primary, advanced].filter((row) => row !== null);
  const pictures = await readApplicationPictures(
    module.database,
    rows.map(({ id }) => id),
  );
  const view = async (row: ApplicationRow | null) =>
    certificationViewOf(
      row,
      pictures.filter(({ application }) => application === row?.id),
      module.sealer,
      row?.decided_by == null ? null : await module.staffName(row.decided_by),
    );
  const { none, primary: ofPrimary, advanced: ofAdvanced } = module.dailyMax();
  return {
    primary: await view(primary),
    advanced: await view(advanced),
    limits: { none: formatMoney(none), primary: formatMoney(ofPrimary), advanced: formatMoney(ofAdvanced) },
    promised_hours: CERTIFICATION_HOURS,
  };
}

export function readCertificationHandler(module: CertificationsModule): Handler {
  return handle(readCertification, async ({ customer }) => accept(await viewCertification(module, customer.id)));
}
