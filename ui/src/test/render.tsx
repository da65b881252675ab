import { BlueprintProvider } from '@blueprintjs/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, parsePath, RouterProvider } from 'react-router';

import { Session, SessionContext, type Capabilities, type Lab, type Profile } from '../api';
import { RouteParametersContext } from '../components/routeParameters';
import type { RouteParameters } from '../lib/matrix';
import { createQueryClient } from '../components/queryClient';
import { Role } from '../contract';
import { DeviceContext, type DeviceBridge, type Printer } from '../device';
import { FakeBridge } from '../device/fake';
import { installFakePortal, buildProblem, type Answers } from './portal';

export const lab: Lab = {
  title: 'Lakeside Lab',
  name: 'Lakeside Clinical Laboratory',
  address: '1 Lake St, Chicago, IL',
  phone: '312-555-0100',
  email: 'help@demo.lab',
  fax: null,
  url: null,
  desktopAppUrl: null,
  logo: null,
  timeZone: 'UTC',
  now: '',
};

export const capabilities: Capabilities = {
  host: 'server',
  version: '0.1.0',
  canPrintLabels: false,
  canOpenWindows: false,
  keepsPreferences: false,
  keepsCredentials: false,
  lab,
};

export function buildProfile(role: Role = Role.CLIENT_BASIC): Profile {
  return {
    id: '7b0e6a52-5f0e-4b8c-9d0a-0d2f6e6f0001',
    email: 'someone@demo.lab',
    firstName: 'Sam',
    lastName: 'Someone',
    username: 'someone12345',
    imageUrl: '',
    role,
    registrations: [{ applicationId: 'portal', roles: [role] }],
    data: { signImage: null, clients: [1], patients: [], physicians: [] },
    hasSecondFactor: false,
    mustSetUpSecondFactor: false,
  };
}

interface PortalOptions {
  /** The signed-in user; null without a session. */
  user?: Profile | null;
  answers?: Answers;
  parameters?: RouteParameters;
  capabilities?: Partial<Capabilities>;
  /** The state of the app's other windows. */
  presence?: DeviceBridge['presence'];
  /** The label printers of the workstation. */
  printers?: Printer[];
  path?: string;
  /** The state of the history entry. */
  locationState?: unknown;
}

/** Renders a component inside all providers, against a fake portal. */
export async function renderPortal(element: ReactElement, options: PortalOptions = {}) {
  const user = options.user === undefined ? buildProfile() : options.user;
  const requests = installFakePortal({
    'POST /auth/jwt/refresh': user
      ? { token: 'token', user }
      : () => buildProblem(401, 'unauthenticated', 'no session'),
    ...options.answers,
  });
  const session = new Session();
  await session.start();
  const device = new FakeBridge();
  device.available = options.printers ?? [];
  device.presence = options.presence;
  const queries = createQueryClient({ retryDelayMs: 0 });
  const router = createMemoryRouter(
    [
      {
        path: '*',
        element: (
          <RouteParametersContext value={options.parameters ?? {}}>
            {element}
          </RouteParametersContext>
        ),
      },
    ],
    { initialEntries: [{ ...parsePath(options.path ?? '/'), state: options.locationState }] },
  );
  const view = render(
    <SessionContext value={{ session, capabilities: { ...capabilities, ...options.capabilities } }}>
      <DeviceContext value={device}>
        <QueryClientProvider client={queries}>
          <BlueprintProvider>
            <RouterProvider router={router} />
          </BlueprintProvider>
        </QueryClientProvider>
      </DeviceContext>
    </SessionContext>,
  );
  return { ...view, user: userEvent.setup(), requests, session, device, router, queries };
}
