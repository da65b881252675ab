import { messages, say } from '../../../contract';
import { applyMask, masks } from '../../../lib/mask';
import type { ClientToCall } from '../api';

/** Asks the lab to call a client that no e-mail can notify of a rejected specimen. */
export function CallClient({ client: { name, phone } }: { client: ClientToCall }) {
  return (
    <>
      {say(messages.CLIENT_TO_CALL, { client: name })}{' '}
      {phone ? <strong>{applyMask(phone, masks.phone)}</strong> : null}
    </>
  );
}
