import { OPERATOR_ROLES, type OperatorRole } from '@sathorn/api';
import { useTexts } from '../../parts/texts/index.ts';

/** Chooses an operator's roles. */
export function RoleBoxes({
  chosen,
  onChoose,
  fault,
}: {
  chosen: readonly OperatorRole[];
  onChoose: (roles: readonly OperatorRole[]) => void;
  fault?: string | undefined;
}) {
  const { t } = useTexts();
  return (
    <fieldset className="labelled">
      <legend>{t('operators.roles')}</legend>
      <div className="row wrap">
        {OPERATOR_ROLES.map((role) => (
          <label key={role} className="chip" data-on={chosen.includes(role) ? '' : undefined}>
            <input
              type="checkbox"
              checked={chosen.includes(role)}
              onChange={({ target }) =>
                onChoose(target.checked ? [...chosen, role] : chosen.filter((one) => one !== role))
              }
            />
            {t(`role.${role}`)}
          </label>
        ))}
      </div>
      {fault && <p className="da sm">{fault}</p>}
    </fieldset>
  );
}
