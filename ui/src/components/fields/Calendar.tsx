import '@blueprintjs/datetime/lib/css/blueprint-datetime.css';

import { DatePicker } from '@blueprintjs/datetime';

import { limits } from '../../contract';
import { getLastPickableDay, parseIsoDate, getToday } from '../../lib/dates';

interface CalendarProps {
  value: Date | null;
  min: Date | null;
  max: Date | null;
  onPick: (date: Date) => void;
}

const loadNoLocale = () => Promise.resolve(undefined);

/** The month view of a date field; loaded when it is first opened. */
export default function Calendar({ value, min, max, onPick }: CalendarProps) {
  const earliest = min ?? parseIsoDate(limits.EARLIEST_BIRTH_DATE) ?? new Date(1900, 0, 1);
  const latest = max ?? getLastPickableDay();
  const isInRange = value !== null && value >= earliest && value <= latest;
  return (
    <DatePicker
      value={isInRange ? value : null}
      minDate={earliest}
      maxDate={latest}
      highlightCurrentDay
      dayPickerProps={{ today: parseIsoDate(getToday()) ?? new Date() }}
      canClearSelection={false}
      // Otherwise Blueprint requests a locale file at run time; English is built in.
      dateFnsLocaleLoader={loadNoLocale}
      onChange={(date, isUserChange) => {
        if (date !== null && isUserChange) onPick(date);
      }}
    />
  );
}
