import { Button, Callout, Spinner } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { describeError } from '../../../api';
import { messages } from '../../../contract';
import { useDevice, type AnsweringPrinter, type Printer } from '../../../device';
import { networkSearchQuery } from '../api';
import styles from './printers.module.css';

interface NetworkSearchProps {
  printers: readonly Printer[];
  onAdd: (answering: AnsweringPrinter) => void;
  onClose: () => void;
}

/** Asks the network once, and lists the printers that answer and are not set up. */
export function NetworkSearch({ printers, onAdd, onClose }: NetworkSearchProps) {
  const device = useDevice();
  const search = useQuery(networkSearchQuery(device));
  const addresses = new Set(printers.map(({ address }) => address));
  const others = search.data?.filter(({ host, port }) => !addresses.has(`${host}:${port}`)) ?? [];
  return (
    <section className={styles['search']} aria-label="Printers on the network">
      <div className={styles['heading']}>
        <strong>On the network</strong>
        <Button size="small" variant="minimal" text="Hide" onClick={onClose} />
      </div>
      {search.isFetching ? <Spinner size={20} aria-label="Searching" /> : null}
      {search.error ? (
        <Callout intent="danger" icon={false} role="alert">
          {describeError(search.error)}
        </Callout>
      ) : null}
      {search.isSuccess && others.length === 0 ? (
        <div role="status">{messages.PRINTER_SEARCH_EMPTY}</div>
      ) : null}
      {others.map((answering) => (
        <div key={`${answering.host}:${answering.port}`} className={styles['heading']}>
          <span>
            {answering.model ?? 'Unknown model'}{' '}
            <span className={styles['quiet']}>
              {answering.host}:{answering.port}
              {answering.dpi ? `, ${answering.dpi} dpi` : ''}
            </span>
          </span>
          <Button size="small" text="Add" onClick={() => onAdd(answering)} />
        </div>
      ))}
    </section>
  );
}
