import type { components as device } from './device.generated';
import type { components as portal } from './portal.generated';

/** A schema of the portal's API, by its name in `shared/api/portal.openapi.json`. */
export type Wire<Name extends keyof portal['schemas']> = portal['schemas'][Name];

/** A schema of the workstation's API, by its name in `shared/api/device.openapi.json`. */
export type DeviceWire<Name extends keyof device['schemas']> = device['schemas'][Name];
