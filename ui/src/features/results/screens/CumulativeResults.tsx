import { Button } from '@blueprintjs/core';
import { useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useLiveChanges, useProfile } from '../../../api';
import { NoticeBar } from '../../../components/NoticeBar';
import { PageToolbar } from '../../../components/PageToolbar';
import { Loaded, toLiveLoadState } from '../../../components/records/Loaded';
import { PatientBanner } from '../../../components/records/PatientBanner';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useRecordId } from '../../../components/routeParameters';
import { useRememberedState } from '../../../components/useRememberedState';
import { PrintIcon } from '../../../components/icons';
import { toasts } from '../../../components/toasts';
import { limits, messages, ResultKind, Role, say } from '../../../contract';
import { useDevice } from '../../../device';
import { formatDate, getToday, parseIsoDate, toIsoDate } from '../../../lib/dates';
import { readDataUrl } from '../../../lib/files';
import { applyMask, masks } from '../../../lib/mask';
import { FamilyTabs } from '../components/FamilyTabs';
import {
  cumulativeInfoQuery,
  cumulativeResultsQuery,
  drawCumulativeReport,
  reloadCumulative,
  type ClinicalDay,
  type CumulativeDays,
  type CumulativeInfo,
  type CumulativeSearch,
  type MicrobiologyDay,
  type ToxicologyDay,
} from '../cumulative/api';
import { ClinicalCumulative } from '../cumulative/ClinicalCumulative';
import styles from '../cumulative/cumulative.module.css';
import { CumulativeSettings } from '../cumulative/CumulativeSettings';
import { MicrobiologyCumulative, ToxicologyCumulative } from '../cumulative/OtherCumulative';
import { chooseFirstFamily, listFamilies } from '../families';

/** A patient's results over time, opened from one of the patient's orders (R 2.3). */
export default function CumulativeResults() {
  const id = useRecordId();
  const info = useQuery({ ...cumulativeInfoQuery(id ?? 0), enabled: id !== null });
  return (
    <RecordScreen title="Cumulative Results" loadState={id === null ? null : toLiveLoadState(info)}>
      {(loadedInfo) => <LoadedCumulative info={loadedInfo} />}
    </RecordScreen>
  );
}

type CumulativeKind = keyof CumulativeDays;

/** The selected rows of each kind, which stay selected while another tab is open. */
type Selections = Readonly<Partial<Record<CumulativeKind, ReadonlySet<string>>>>;

/** The selected rows of a kind, by their series. */
interface Selection {
  selected: ReadonlySet<string>;
  onSelect: (selectedSeries: ReadonlySet<string>) => void;
}

const NO_SERIES: ReadonlySet<string> = new Set();
const NO_SELECTIONS: Selections = {};

/** The 12 months that end with the collection of the order. */
function listOfferedDays(collectionDate: string): { startDate: string; endDate: string } {
  const start = parseIsoDate(collectionDate) ?? new Date();
  start.setMonth(start.getMonth() - limits.CUMULATIVE_DEFAULT_MONTHS);
  return { startDate: toIsoDate(start), endDate: collectionDate.slice(0, 10) };
}

function LoadedCumulative({ info }: { info: CumulativeInfo }) {
  const { role, data } = useProfile();
  const device = useDevice();
  const today = getToday();
  const [search, setSearch] = useRememberedState<CumulativeSearch>('cumulative-search', () => ({
    startDate: today,
    endDate: today,
    records: limits.CUMULATIVE_RECORDS_DEFAULT,
    clientId: null,
    physicianIds: role === Role.PHYSICIAN ? data.physicians : [],
  }));
  const [offers, setOffers] = useState(0);
  const [isOffered, setIsOffered] = useState(false);
  const [isPrinting, setIsPrinting] = useState(false);
  const kinds = listFamilies({ ...info, hasPathologyResult: false });
  const [selectedKind, setSelectedKind] = useRememberedState<ResultKind | null>(
    'cumulative-family',
    () => null,
  );
  const kind = (selectedKind ?? chooseFirstFamily(kinds)) as CumulativeKind | null;
  const results = useCumulativeResults(info, kind, search);
  const [selections, setSelections] = useRememberedState(
    'cumulative-selection',
    () => NO_SELECTIONS,
  );
  const { printedIds, counts, isLoading } = usePrinted(info.orderId, selections, search);
  const printedCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isTooMuch = printedIds.length > limits.BULK_IDS_MAX;
  const print = () => {
    setIsPrinting(true);
    drawCumulativeReport(printedIds)
      .then(readDataUrl)
      .then((url) =>
        device.openFile({
          base64: url.slice(url.indexOf(',') + 1),
          mediaType: 'application/pdf',
          name: 'cumulative-results.pdf',
        }),
      )
      .catch(toasts.failure)
      .finally(() => setIsPrinting(false));
  };
  const address = [
    info.patientAddress,
    [info.patientCity, info.patientState].filter(Boolean).join(', '),
    info.patientZipCode,
  ];
  return (
    <>
      <PageToolbar
        title="Cumulative Results"
        patient={
          <PatientBanner
            patient={{
              firstName: info.patientFirstName,
              middleName: info.patientMiddleName,
              lastName: info.patientLastName,
              birthDate: info.patientBirthDate,
              gender: info.patientGender,
            }}
            facts={[
              ['Patient Id', info.patientCode],
              ['Order', info.codeValue],
              ['Address', address.filter(Boolean).join(' ')],
              ['Phone', info.patientPhone ? applyMask(info.patientPhone, masks.phone) : null],
            ]}
          />
        }
        actions={[
          {
            // The tabs say where the rows are; some may be on tabs that are not open.
            label: printedCount === 0 ? 'Print Selected' : `Print Selected (${printedCount})`,
            slot: 'print',
            icon: <PrintIcon />,
            loading: isPrinting || isLoading,
            disabled: printedIds.length === 0 || isTooMuch,
            reason: isTooMuch
              ? say(messages.CUMULATIVE_TOO_MANY, { max: limits.BULK_IDS_MAX })
              : messages.NOTHING_SELECTED,
            onClick: print,
          },
        ]}
      />
      <CumulativeSettings
        // A search by the form itself keeps the form, and with it the focus.
        key={offers}
        orderId={info.orderId}
        search={search}
        onSearch={(newSearch) => {
          setIsOffered(false);
          setSearch(newSearch);
          setSelections(NO_SELECTIONS);
        }}
      />
      {kind === null ? (
        <p>{messages.NO_RESULTS}</p>
      ) : (
        <FamilyTabs
          kinds={kinds}
          selected={kind}
          onSelect={setSelectedKind}
          selectedCounts={counts}
          panel={
            <KindResults
              key={`${kind} ${JSON.stringify(search)}`}
              info={info}
              kind={kind}
              search={search}
              results={results}
              isOffered={isOffered}
              onSearch={(offeredSearch) => {
                setIsOffered(true);
                setSearch(offeredSearch);
                setSelections(NO_SELECTIONS);
                setOffers(offers + 1);
              }}
              selected={selections[kind] ?? NO_SERIES}
              onSelect={(selected) => setSelections({ ...selections, [kind]: selected })}
            />
          }
        />
      )}
    </>
  );
}

/**
 * The results of a kind. All are loaded again when somebody changes an order of the patient: it may
 * have the first results of a kind, or have been moved to another physician.
 */
function useCumulativeResults(
  { orderId, patientId }: CumulativeInfo,
  kind: CumulativeKind | null,
  search: CumulativeSearch,
) {
  const queries = useQueryClient();
  const results = useQuery({
    ...cumulativeResultsQuery(orderId, kind ?? ResultKind.CLINICAL, search),
    enabled: kind !== null,
  });
  useLiveChanges('order', (change) => {
    if (change === null || change.patientId === patientId) reloadCumulative(queries, orderId);
  });
  return results;
}

/**
 * The ids of the selected results of all kinds, since those of other tabs are printed as well, and
 * the number of selected rows of each kind.
 */
function usePrinted(orderId: number, selections: Selections, search: CumulativeSearch) {
  const selectedKinds = (Object.keys(selections) as CumulativeKind[]).filter(
    (kind) => selections[kind]?.size,
  );
  const loads = useQueries({
    queries: selectedKinds.map((kind) => cumulativeResultsQuery(orderId, kind, search)),
  });
  const results = selectedKinds.map((kind, index) =>
    listOrders(loads[index]?.data ?? [])
      .flatMap((order) => order.results)
      .filter(({ series }) => selections[kind]?.has(series)),
  );
  return {
    printedIds: results.flat().map(({ id }) => id),
    counts: Object.fromEntries(
      selectedKinds.map((kind, index) => [
        kind,
        new Set(results[index]?.map(({ series }) => series)).size,
      ]),
    ) as Partial<Record<CumulativeKind, number>>,
    isLoading: loads.some(({ isPending }) => isPending),
  };
}

interface OrderWithResults {
  id: number;
  results: readonly { id: number; series: string }[];
}

const listOrders = (days: readonly { orders: readonly OrderWithResults[] }[]): OrderWithResults[] =>
  days.flatMap((day) => day.orders);

interface KindResultsProps extends Selection {
  info: CumulativeInfo;
  kind: CumulativeKind;
  search: CumulativeSearch;
  results: UseQueryResult<CumulativeDays[CumulativeKind][]>;
  /** Whether the user chose the offered search, which removed its own button. */
  isOffered: boolean;
  onSearch: (search: CumulativeSearch) => void;
}

function KindResults({
  info,
  kind,
  search,
  results,
  isOffered,
  onSearch,
  ...selection
}: KindResultsProps) {
  const place = useRef<HTMLDivElement>(null);
  const isLoaded = results.data !== undefined;
  useEffect(() => {
    if (!isOffered || !isLoaded || document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>('[role="region"]')?.focus({ preventScroll: true });
  }, [isOffered, isLoaded]);
  return (
    <Loaded loadState={toLiveLoadState(results)}>
      {(days) => {
        const orders = listOrders(days);
        if (orders.length === 0) {
          return <OfferMonths info={info} search={search} onSearch={onSearch} />;
        }
        return (
          <div ref={place}>
            <NoticeBar>
              {orders.length === limits.CUMULATIVE_RECORDS_MAX
                ? say(messages.CUMULATIVE_LIMIT, { max: limits.CUMULATIVE_RECORDS_MAX })
                : null}
            </NoticeBar>
            {renderKind(kind, days, info, selection)}
          </div>
        );
      }}
    </Loaded>
  );
}

function renderKind(
  kind: CumulativeKind,
  days: readonly CumulativeDays[CumulativeKind][],
  info: CumulativeInfo,
  selection: Selection,
) {
  if (kind === ResultKind.MICROBIOLOGY) {
    return <MicrobiologyCumulative days={days as MicrobiologyDay[]} {...selection} />;
  }
  if (kind === ResultKind.TOXICOLOGY) {
    return <ToxicologyCumulative days={days as ToxicologyDay[]} {...selection} />;
  }
  const patient = [
    `${info.patientLastName}, ${info.patientFirstName}`,
    info.patientCode,
    info.patientBirthDate && `DOB ${formatDate(info.patientBirthDate)}`,
  ];
  return (
    <ClinicalCumulative
      days={days as ClinicalDay[]}
      patient={patient.filter(Boolean).join('   ')}
      {...selection}
    />
  );
}

/** Offers a search of the 12 months up to the order after a period without results. */
function OfferMonths({
  info,
  search,
  onSearch,
}: Pick<KindResultsProps, 'info' | 'search' | 'onSearch'>) {
  const offeredDays = listOfferedDays(info.collectionDate);
  const isOffered =
    search.startDate !== offeredDays.startDate ||
    search.endDate !== offeredDays.endDate ||
    search.clientId !== null;
  return (
    <div className={styles['offer']} role="status">
      <span>{messages.CUMULATIVE_EMPTY}</span>
      {isOffered ? (
        <Button
          variant="outlined"
          onClick={() => onSearch({ ...search, ...offeredDays, clientId: null })}
        >
          {`Show 12 months, ${formatDate(offeredDays.startDate)} - ${formatDate(offeredDays.endDate)}`}
        </Button>
      ) : null}
    </div>
  );
}
