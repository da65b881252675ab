import type { components as device } from './device.generated';
import type { components as portal } from './portal.generated';

/** What the portal's API sends and takes, by its name in `shared/api/portal.openapi.json`. */
export type Wire<Name extends keyof portal['schemas']> = portal['schemas'][Name];

/** The same of the workstation's own API, `shared/api/device.openapi.json`. */
export type DeviceWire<Name extends keyof device['schemas']> = device['schemas'][Name];
