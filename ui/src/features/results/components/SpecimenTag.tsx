import { Tag } from '@blueprintjs/core';

import { messages } from '../../../contract';

/** Marks a test whose specimen needs attention, by default one that must be collected again. */
export function SpecimenTag({ text = messages.SPECIMEN_NEEDED }: { text?: string }) {
  return (
    <Tag minimal intent="warning">
      {text}
    </Tag>
  );
}
