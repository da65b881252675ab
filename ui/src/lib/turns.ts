interface Turn {
  /** Resolves once all earlier turns have ended. */
  earlier: Promise<void>;
  /** Ends this turn; calling it again has no effect. */
  end: () => void;
}

/** Keeps steps in order, although their answers may arrive in another order. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Starts a turn after those that were started before. */
  start(): Turn {
    const earlier = this.last;
    let end = (): void => undefined;
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.last = earlier.then(() => own);
    return { earlier, end };
  }
}
