import type { Option } from '../../../components/fields/SelectField';

/** The options of a choice from one of the lab's lists. */
export const toOptions = (terms: readonly { code: string; name: string }[]): Option[] =>
  terms.map(({ code, name }) => ({ value: code, label: name }));
