interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Sends questions of the same turn of the event loop in batches of at most `max`; answers are in the same order. */
export function batchInTurn<Question, Answer>(
  max: number,
  send: (questions: Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      const answers = await send(batch.map(({ question }) => question));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (waiting.length === 1) setTimeout(() => waiting.length > 0 && flush(), 0);
      if (waiting.length === max) void flush();
    });
}
