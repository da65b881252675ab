const STEPS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** Formats the size of a file: '840 bytes', '1.2 MB'. */
export function formatSize(bytes: number): string {
  let step = 0;
  let size = bytes;
  while (size >= 1000 && step < STEPS.length - 1) {
    size /= 1000;
    step += 1;
  }
  return `${step === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${STEPS[step] ?? ''}`;
}
