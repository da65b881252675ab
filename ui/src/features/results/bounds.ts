import { messages, say } from '../../contract';
import { nameField } from './fieldNames';

/** The bounds of a test's results; null without a bound. */
export interface Bounds {
  possibleLow: number | null;
  possibleHigh: number | null;
  plausibleLow: number | null;
  plausibleHigh: number | null;
}

/** A question about a typed value, which the user answers before it is saved. */
export interface Question {
  orderTestId: number;
  text: string;
}

/** A typed number with its comparison sign, or ''. */
interface SignedNumber {
  sign: string;
  number: number;
}

// With '<' or '>', all that a value can mean is beyond a bound that equals its number.
const isBelow = ({ sign, number }: SignedNumber, low: number | null): low is number =>
  low !== null && (number < low || (sign === '<' && number === low));
const isAbove = ({ sign, number }: SignedNumber, high: number | null): high is number =>
  high !== null && (number > high || (sign === '>' && number === high));

/** Says which bound of possible values a number exceeds: 'Over 200: impossible'; or null. */
export function describeImpossible(typed: SignedNumber, bounds: Bounds): string | null {
  const { possibleLow: low, possibleHigh: high } = bounds;
  if (isBelow(typed, low)) return `Under ${low}: impossible`;
  return isAbove(typed, high) ? `Over ${high}: impossible` : null;
}

/** Returns the question about an unusual number, or null; the portal rejects impossible ones. */
export function askAboutNumber(
  test: Bounds & { name: string },
  value: string,
  typed: SignedNumber,
): string | null {
  if (describeImpossible(typed, test) !== null) return null;
  const { plausibleLow: low, plausibleHigh: high } = test;
  const parameters = { test: test.name, value };
  if (isBelow(typed, low)) return say(messages.RESULT_ABSURDLY_LOW, { ...parameters, limit: low });
  if (isAbove(typed, high))
    return say(messages.RESULT_ABSURDLY_HIGH, { ...parameters, limit: high });
  return null;
}

/** Returns the field that confirms an unusual value, or null; typing another value clears it. */
export function findConfirmedField(field: string): string | null {
  const [part, id] = field.split('-');
  return part === 'result' || part === 'dilution'
    ? nameField({ orderTestId: Number(id) }, 'confirmed')
    : null;
}
