import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { RouteParametersContext, useIdParameter, useRecordId } from './routeParameters';

function IdOutput() {
  return <output>{String(useIdParameter())}</output>;
}

describe('The record id in an address', () => {
  it.each([
    [undefined, 'null'],
    ['', 'null'],
    ['12', '12'],
    ['abc', '0'],
    ['12abc', '0'],
    ['-3', '0'],
    ['1'.repeat(16), '0'],
  ])('reads %s as %s', (text, expectedId) => {
    const parameters: Record<string, string> = text === undefined ? {} : { id: text };
    render(
      <RouteParametersContext value={parameters}>
        <IdOutput />
      </RouteParametersContext>,
    );
    expect(screen.getByRole('status')).toHaveTextContent(expectedId);
  });
});

function RecordIdOutput() {
  return <output>{String(useRecordId())}</output>;
}

describe('The id of the record that a screen shows', () => {
  it.each([
    ['12', '12'],
    ['abc', 'null'],
    ['0', 'null'],
  ])('reads %s as %s', (id, expectedId) => {
    render(
      <RouteParametersContext value={{ id }}>
        <RecordIdOutput />
      </RouteParametersContext>,
    );
    expect(screen.getByRole('status')).toHaveTextContent(expectedId);
  });
});
