/** The script for browsers that cannot run the portal. */
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { fillInMessage } from '../../scripts/oldBrowser.ts';
import { messages } from '../contract';

/** Runs the script in a browser with this `Object`, and returns the text of the waiting page. */
function runScript(browser: object): string {
  const waitingText = { textContent: 'Loading…' };
  const page = { querySelector: () => waitingText };
  const script = fillInMessage(readFileSync('scripts/oldBrowser.js', 'utf8'));
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the script is not a module
  const run = new Function('Object', 'document', script) as (...globals: unknown[]) => void;
  run(browser, page);
  return waitingText.textContent;
}

describe('The page', () => {
  it('says on an old browser that it is not supported', () => {
    expect(runScript({})).toBe(messages.OLD_BROWSER);
  });

  it('waits for the portal on others', () => {
    expect(runScript(Object)).toBe('Loading…');
  });
});
