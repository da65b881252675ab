import { buildMatrix } from '../../lib/matrix';
import { paths } from '../../lib/paths';

/** The address of the help about a screen. */
export const getHelpPath = (screen: string): string => buildMatrix(paths.help, { screen });
