const numberFormat = new Intl.NumberFormat('en-US');

/** Formats a whole number with commas: '1,234'. */
export const formatNumber = (count: number): string => numberFormat.format(count);

/** Formats a number of things: '1 row', '1,234 rows', '2 people'. */
export const formatQuantity = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`;

/** Formats a wait: in seconds below two minutes, otherwise in minutes, rounded up. */
export const formatWait = (seconds: number): string =>
  seconds < 120
    ? formatQuantity(seconds, 'second')
    : formatQuantity(Math.ceil(seconds / 60), 'minute');
