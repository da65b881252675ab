export { chooseBridge, DeviceContext, useDevice, usePreference } from './DeviceContext';
export { NoNewWindow } from './types';
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
