import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { ResultKind } from '../../../contract';
import { renderPortal } from '../../../test/render';
import { TestLinks } from './TestLinks';

const urine = { orderTestId: 1, name: 'CULTURE, URINE' };
const blood = { orderTestId: 2, name: 'CULTURE, BLOOD' };

const renderLinks = (tests: readonly (typeof urine)[]) =>
  renderPortal(
    <TestLinks kind={ResultKind.MICROBIOLOGY} entry={{ orderId: 12, tests }} selected={2} />,
  );

describe('The links between tests', () => {
  it('mark the selected test, and lead to the others in the same family', async () => {
    await renderLinks([urine, blood]);
    expect(screen.getByRole('link', { name: blood.name })).toHaveAttribute('aria-current', 'page');
    const link = screen.getByRole('link', { name: urine.name });
    expect(link).not.toHaveAttribute('aria-current');
    expect(link.getAttribute('href')).toMatch(
      new RegExp(`id=12;kind=${ResultKind.MICROBIOLOGY};test=1$`),
    );
  });

  it('are not shown for a single test', async () => {
    await renderLinks([blood]);
    expect(screen.queryByRole('navigation', { name: 'Tests' })).toBeNull();
  });
});
