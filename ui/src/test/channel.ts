/** A BroadcastChannel between the windows of one test. The setup removes Node's own channel. */
export class Channel extends EventTarget {
  private static readonly all = new Set<Channel>();

  /** Closes the channels of earlier tests. */
  static closeAll() {
    Channel.all.clear();
  }

  constructor(private readonly name: string) {
    super();
    Channel.all.add(this);
  }
  postMessage(data: unknown) {
    for (const channel of Channel.all) {
      if (channel === this || channel.name !== this.name) continue;
      queueMicrotask(() => channel.dispatchEvent(new MessageEvent('message', { data })));
    }
  }
  close() {
    Channel.all.delete(this);
  }
}
