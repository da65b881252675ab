import { useState } from 'react';

import { useProfile } from '../../../api';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { PageToolbar } from '../../../components/PageToolbar';
import { useRouteParameters } from '../../../components/routeParameters';
import { useScreen } from '../../../components/useMedia';
import { messages } from '../../../contract';
import { listTopics, searchTopics } from '../topics';
import styles from './help.module.css';

/** Help: short pages, one for each screen, with a search (P 2). */
export default function Help() {
  const { role } = useProfile();
  const screen = useRouteParameters()['screen'] ?? '';
  const topics = listTopics(role);
  const isPhone = useScreen() === 'phone';
  const [search, setSearch] = useState('');
  const [chosenId, setChosenId] = useState(
    () => topics.find(({ paths }) => paths.includes(screen))?.id ?? topics[0]?.id,
  );
  const matchingTopics = searchTopics(topics, search);
  const shownTopic = matchingTopics.find(({ id }) => id === chosenId) ?? matchingTopics[0];
  return (
    <>
      <PageToolbar title="Help" />
      <div className={styles['help']}>
        <nav aria-label="Help topics">
          <TextField
            label="Search help"
            type="search"
            placeholder="For example: label, sign, critical"
            value={search}
            onChange={setSearch}
          />
          {isPhone ? (
            <SelectField
              label="Topic"
              value={shownTopic?.id ?? ''}
              options={matchingTopics.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={setChosenId}
            />
          ) : (
            <ul>
              {matchingTopics.map(({ id, title }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-current={id === shownTopic?.id ? 'page' : undefined}
                    onClick={() => setChosenId(id)}
                  >
                    {title}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </nav>
        {shownTopic === undefined ? (
          <p role="status">{messages.HELP_NONE}</p>
        ) : (
          <article aria-live="polite" aria-label={shownTopic.title}>
            <h2>{shownTopic.title}</h2>
            {shownTopic.content.map((part) =>
              typeof part === 'string' ? (
                <p key={part}>{part}</p>
              ) : (
                <ul key={part[0]}>
                  {part.map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ul>
              ),
            )}
          </article>
        )}
      </div>
    </>
  );
}
