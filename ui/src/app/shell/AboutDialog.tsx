import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '../../components/dialogs/FormDialog';
import { messages } from '../../contract';
import { aboutQuery } from './api';
import styles from './about.module.css';

/** The version of the desktop app, and the licenses of the works that it contains. */
export default function AboutDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(aboutQuery);
  const [name, setName] = useState<string>();
  const texts = data?.licenses ?? [];
  const chosenText = texts.find((text) => text.name === name) ?? texts[0];
  return (
    <FormDialog isOpen title="About Lab Portal" width={720} phoneWidth={360} onClose={onClose}>
      {data === undefined ? null : (
        <div className={styles['about']}>
          <p>Version {data.version}</p>
          {chosenText === undefined ? (
            <p>{messages.LICENSES_IN_PACKAGES}</p>
          ) : (
            <>
              <HTMLSelect
                aria-label="Text"
                value={chosenText.name}
                options={texts.map((text) => text.name)}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              {/* Focusable, so that the keyboard can scroll it. */}
              <pre tabIndex={0} role="region" aria-label={chosenText.name}>
                {chosenText.text}
              </pre>
            </>
          )}
        </div>
      )}
    </FormDialog>
  );
}
