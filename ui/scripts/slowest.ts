import type { Reporter, TestCase, TestModule } from 'vitest/node';

const SLOWEST_COUNT = 10;

const getSeconds = (test: TestCase) => (test.diagnostic()?.duration ?? 0) / 1000;

/** Prints the slowest tests after a run. */
export const slowest: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    tests.sort((a, b) => getSeconds(b) - getSeconds(a));
    console.log(`\n Slowest ${SLOWEST_COUNT} tests`);
    for (const test of tests.slice(0, SLOWEST_COUNT)) {
      console.log(
        `  ${getSeconds(test).toFixed(2)}s  ${test.module.relativeModuleId} > ${test.fullName}`,
      );
    }
  },
};
