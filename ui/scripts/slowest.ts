import type { Reporter, TestCase, TestModule } from 'vitest/node';

const SHOWN = 10;

const seconds = (test: TestCase) => (test.diagnostic()?.duration ?? 0) / 1000;

/** Prints the slowest tests at the end, so that nobody has to look for what makes the suite slow. */
export const slowest: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    tests.sort((a, b) => seconds(b) - seconds(a));
    console.log(`\n Slowest ${SHOWN} tests`);
    for (const test of tests.slice(0, SHOWN)) {
      console.log(
        `  ${seconds(test).toFixed(2)}s  ${test.module.relativeModuleId} > ${test.fullName}`,
      );
    }
  },
};
