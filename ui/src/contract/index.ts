/** The contract with the portal: every message, limit and code, generated from `shared/`. */
export * from './enumerations.generated';
export { boundedSorts } from './boundedSorts.generated';
export { choices } from './choices.generated';
export { limits } from './limits.generated';
export { messages } from './messages.generated';
export { transitions } from './transitions.generated';
export { judge, mayEver, type Act, type JudgedFacts } from './judge';
export { say } from './say';
export type { ListQueries } from './lists.generated';
export type { DeviceWire, Wire } from './wire';
