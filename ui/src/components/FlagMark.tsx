import { Tag } from '@blueprintjs/core';

import { messages } from '../contract';
import { ToneText, type Tone } from './ResultTone';

/** Says that a number was not judged. Without this note, the value would look unremarkable. */
export const NoRange = () => (
  <span className="quiet" title={messages.RESULT_NO_RANGE_REASON}>
    {messages.RESULT_NO_RANGE}
  </span>
);

/** Like `NoRange`, for a narrow cell: the tooltip has the text. */
export const NoRangeMark = () => (
  <span className="quiet">
    <span aria-hidden="true">?</span>
    <span className="visually-hidden">({messages.RESULT_NO_RANGE})</span>
  </span>
);

interface FlagMarkProps {
  flag: string | null;
  tone: Tone;
}

/** A result's flag: critical as a red tag, otherwise abnormal in bold, normal in gray. */
export function FlagMark({ flag, tone }: FlagMarkProps) {
  if (!flag) return null;
  if (tone === 'critical') {
    return (
      <Tag intent="danger" minimal>
        {flag}
      </Tag>
    );
  }
  return (
    <ToneText tone={tone} quiet>
      {flag}
    </ToneText>
  );
}
