import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';

import { messages } from '../../../contract';

/** Says that an order has no result of any kind (R 2.2). */
export function NoResults() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} title={messages.NO_RESULTS_TITLE} onClose={() => setIsOpen(false)}>
      <DialogBody>{messages.NO_RESULTS}</DialogBody>
      <DialogFooter
        actions={
          <Button intent="primary" onClick={() => setIsOpen(false)}>
            OK
          </Button>
        }
      />
    </Dialog>
  );
}
