import { Tag } from '@blueprintjs/core';

import type { Withholding } from '../../../contract';
import { describeWithheld } from '../withheld';

interface WithheldTagProps {
  withheld: Withholding | null;
  withheldAt: string | null;
}

/** Says that a released result is under review or withdrawn, and since when. */
export function WithheldTag({ withheld, withheldAt }: WithheldTagProps) {
  if (withheld === null) return null;
  return (
    <Tag minimal intent="danger">
      {describeWithheld(withheld, withheldAt)}
    </Tag>
  );
}
