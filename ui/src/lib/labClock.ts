/** The lab's clock: every time on a screen is the lab's (DECISIONS, 'Bases and wire format'). */

export interface LabTime {
  /** ISO date. */
  day: string;
  /** `HH:MM`. */
  time: string;
}

/** How this workstation's clock differs from the lab's. */
export interface ClockDifference {
  /** Whether the workstation's clock is wrong, not only set to another time zone. */
  isWrong: boolean;
  lab: LabTime;
  local: LabTime;
  /** The short name of the lab's time zone: `CST`. */
  zoneName: string;
}

const TOLERANCE_MS = 60_000;

/** Undefined until the portal has sent it; until then the workstation's zone is used. */
let timeZone: string | undefined;
/** The portal's clock minus the workstation's. */
let offsetMs = 0;
let labFormat = buildFormat(undefined);

function buildFormat(zone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    timeZoneName: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
}

function formatParts(format: Intl.DateTimeFormat, instant: Date) {
  const parts = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}`,
    zoneName: parts['timeZoneName'] ?? '',
  };
}

/** Sets the lab's time zone (IANA name), and the workstation's error from the portal's `now`. */
export function setLabClock(clock: { timeZone: string; now: string }): void {
  const portalNow = Date.parse(clock.now);
  if (!Number.isNaN(portalNow)) offsetMs = portalNow - Date.now();
  if (clock.timeZone === timeZone) return;
  try {
    labFormat = buildFormat(clock.timeZone);
    timeZone = clock.timeZone;
  } catch {
    // A browser that does not know the zone shows its own, and `compareClocks` finds no difference.
  }
}

/** Returns the lab's wall-clock time at an instant; by default now, by the portal's clock. */
export function toLabTime(instant = new Date(Date.now() + offsetMs)): LabTime {
  const { day, time } = formatParts(labFormat, instant);
  return { day, time };
}

/** Compares both clocks now; null if they agree within a minute and have the same zone. */
export function compareClocks(): ClockDifference | null {
  const localNow = new Date();
  const isWrong = Math.abs(offsetMs) > TOLERANCE_MS;
  const inLab = formatParts(labFormat, localNow);
  const inLocalZone = formatParts(buildFormat(undefined), localNow);
  const isSameZone = inLab.day === inLocalZone.day && inLab.time === inLocalZone.time;
  if (!isWrong && isSameZone) return null;
  const { day, time } = inLocalZone;
  return { isWrong, lab: toLabTime(), local: { day, time }, zoneName: inLab.zoneName };
}
