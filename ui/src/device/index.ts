export { createBridge, DeviceContext, useDevice, usePreference } from './DeviceContext';
export { WindowUnavailable } from './types';
export type {
  DeviceBridge,
  Label,
  LoadedFile,
  NewPrinter,
  PortalDocument,
  Preferences,
  Printer,
  PrintJob,
} from './types';
