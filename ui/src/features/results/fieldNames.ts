/** Returns the name of a field of a test on an entry screen: 'result-12'. */
export const nameField = ({ orderTestId }: { orderTestId: number }, part: string): string =>
  `${part}-${orderTestId}`;
