import { useTexts } from '../../parts/texts/index.ts';
import { figuresOf, figureText, type OfferFields } from './offer-figures.ts';

/** Shows the terms in force beside new ones, with the differences marked. */
export function OfferDiff({
  kind,
  before,
  after,
  from,
}: {
  kind: string;
  before: OfferFields | null;
  after: OfferFields;
  from: string;
}) {
  const texts = useTexts();
  const { t, dateTime } = texts;
  const old = new Map((before === null ? [] : figuresOf(kind, before, texts)).map((figure) => [figure.label, figure]));
  const next = figuresOf(kind, after, texts);
  const gone = [...old.values()].filter(({ label }) => !next.some((figure) => figure.label === label));
  return (
    <table className="offer-diff">
      <thead>
        <tr>
          <th>
            <span className="unseen">{t('terms.name')}</span>
          </th>
          <th className="num">{t('terms.now')}</th>
          <th className="num">{t('terms.new')}</th>
        </tr>
      </thead>
      <tbody>
        {next.map((figure) => {
          const was = old.get(figure.label);
          const isChanged = was?.value !== figure.value;
          return (
            <tr key={figure.label}>
              <th scope="row">{figure.label}</th>
              <td className="num">{was ? figureText(was, texts) : '–'}</td>
              <td className="num">
                {isChanged ? <mark>{figureText(figure, texts)}</mark> : figureText(figure, texts)}
              </td>
            </tr>
          );
        })}
        {gone.map((figure) => (
          <tr key={figure.label}>
            <th scope="row">{figure.label}</th>
            <td className="num">{figureText(figure, texts)}</td>
            <td className="num">
              <mark>{t('terms.gone')}</mark>
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t('terms.effective')}</th>
          <td />
          <td className="num">
            <mark>{dateTime(from)}</mark>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Shows the content of an approval of new terms: exactly these fields. */
export function ApprovedOffer({ content }: { content: Readonly<Record<string, unknown>> }) {
  const { code } = useTexts();
  const { kind, subject, version, before, after, effective_from: from } = content;
  return (
    <>
      <p>
        <b>
          {code('offer', String(kind))} {code('offer_subject', String(subject))}
        </b>{' '}
        <span className="c">v{String(version)}</span>
      </p>
      <OfferDiff
        kind={String(kind)}
        before={(before as OfferFields | null) ?? null}
        after={after as OfferFields}
        from={String(from)}
      />
    </>
  );
}
