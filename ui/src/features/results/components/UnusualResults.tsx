import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import type { Question } from '../bounds';

interface UnusualResultsProps {
  questions: readonly Question[];
  onAnswer: (isRight: boolean) => void;
}

/** Asks whether unusual values are right. */
export function UnusualResults({ questions, onAnswer }: UnusualResultsProps) {
  return (
    <ConfirmDialog
      isOpen={questions.length > 0}
      title="Unusual results"
      message={
        <>
          {questions.map(({ orderTestId, text }) => (
            <p key={orderTestId}>{text}</p>
          ))}
        </>
      }
      // Focuses 'Change': the Enter that ended the typing must not confirm the value.
      intent="danger"
      confirmLabel="Yes, save"
      cancelLabel="Change"
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    />
  );
}
