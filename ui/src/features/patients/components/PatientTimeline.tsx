import { Button } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';

import { usePermissions } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { useOpenPath } from '../../../components/useOpenPath';
import { formatInstant } from '../../../lib/instants';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { limits } from '../../../contract';
import { timelineQuery, type TimelineEvent } from '../api';
import styles from './PatientTimeline.module.css';

const HEIGHT = '80vh';

/** The screens that show the records of events. */
const SCREENS: Readonly<Record<string, string>> = {
  requisition: paths.requisitionForm,
  order: paths.orderResults,
};

interface PatientTimelineProps {
  patientId: number;
  name: string;
  code: string;
  onClose: () => void;
}

/** The history of a patient, newest first: registrations, changes, orders, results. */
export function PatientTimeline({ patientId, name, code, onClose }: PatientTimelineProps) {
  const openPath = useOpenPath();
  const { may } = usePermissions();
  const timeline = useInfiniteQuery(timelineQuery(patientId));
  return (
    <FormDialog
      isOpen
      title={`Timeline of ${name}`}
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      height={HEIGHT}
      onClose={onClose}
      extra={
        may('openAuditLog') ? (
          <Button
            variant="outlined"
            onClick={() =>
              void openPath(buildMatrix(paths.auditLog, { patientId, patientCode: code }))
            }
          >
            Access report
          </Button>
        ) : null
      }
    >
      <Loaded loadState={toLoadState(timeline)}>
        {({ pages }) => (
          <ol className={styles['events']} aria-label="Timeline">
            {pages.flatMap(({ data }) =>
              data.map((event) => <Event key={event.id} event={event} />),
            )}
          </ol>
        )}
      </Loaded>
      {timeline.hasNextPage ? (
        <ActButton
          variant="outlined"
          isRunning={timeline.isFetchingNextPage}
          onClick={() => void timeline.fetchNextPage()}
        >
          Show earlier
        </ActButton>
      ) : null}
    </FormDialog>
  );
}

function Event({ event }: { event: TimelineEvent }) {
  const openPath = useOpenPath();
  const { code, recordId } = event;
  const screen =
    code === null ? undefined : SCREENS[code.startsWith('L') ? 'order' : 'requisition'];
  return (
    <li className={styles['event']}>
      <time dateTime={event.at} className="quiet">
        {formatInstant(event.at)}
      </time>
      <span>
        {event.title}{' '}
        {screen !== undefined && recordId !== null ? (
          <Button
            variant="minimal"
            size="small"
            intent="primary"
            onClick={() => void openPath(buildMatrix(screen, { id: recordId }))}
          >
            {code}
          </Button>
        ) : (
          code
        )}
        {event.detail ? <span className="quiet"> {event.detail}</span> : null}
      </span>
      <span className="quiet">{event.by ?? ''}</span>
    </li>
  );
}
