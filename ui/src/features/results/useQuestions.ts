import { useState } from 'react';

import type { Question } from './bounds';

interface QuestionsOptions {
  /** Lists the questions about what is typed now. */
  list: () => Question[];
  /** Notes that the value of a question is right. */
  confirm: (question: Question) => void;
  submit: () => void;
}

/** Asks about unusual values before they are saved. */
export function useQuestions({ list, confirm, submit }: QuestionsOptions) {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  return {
    questions,
    /** Answers the questions. If the values are right, they are saved. */
    answer: (isRight: boolean) => {
      setQuestions([]);
      if (!isRight) return;
      questions.forEach(confirm);
      submit();
    },
    /** Saves, or asks first. */
    saveOrAsk: () => {
      const open = list();
      setQuestions(open);
      if (open.length === 0) submit();
    },
  };
}
