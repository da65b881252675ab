import { Tag } from '@blueprintjs/core';

import { messages } from '../../../contract';

/** Marks a test whose specimen was rejected and must be collected again. */
export function SpecimenTag() {
  return (
    <Tag minimal intent="warning">
      {messages.SPECIMEN_NEEDED}
    </Tag>
  );
}
