import { formatDate } from '../../../lib/dates';
import { useLab } from '../../settings/api';
import { collectFacts, fillIn, type LegalDocument } from '../document';
import styles from './legal.module.css';

/** The text of a document with the lab's data. */
export function LegalText({ document: text }: { document: LegalDocument }) {
  const facts = collectFacts(useLab());
  return (
    <article className={styles['text']}>
      <p className="quiet">
        {facts.lab}. Effective {formatDate(text.version)}.
      </p>
      {text.statement === undefined ? null : (
        <p className={styles['statement']}>{text.statement}</p>
      )}
      {text.sections.map(({ title, content }) => (
        <section key={title}>
          <h2>{title}</h2>
          {content.map((part) =>
            typeof part === 'string' ? (
              <p key={part}>{fillIn(part, facts)}</p>
            ) : (
              <ul key={part[0]}>
                {part.map((point) => (
                  <li key={point}>{fillIn(point, facts)}</li>
                ))}
              </ul>
            ),
          )}
        </section>
      ))}
    </article>
  );
}
