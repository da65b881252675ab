/** How many prints of this page have not ended. */
let count = 0;

/** Whether labels of this page are still printing, so that its window should not close unasked. */
export const isPrinting = (): boolean => count > 0;

/** Runs a print, and returns its result. */
export async function trackPrint<Result>(print: () => Promise<Result>): Promise<Result> {
  count += 1;
  try {
    return await print();
  } finally {
    count -= 1;
  }
}
