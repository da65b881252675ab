/** One server-sent event; `data` is its JSON. */
export interface ServerEvent {
  name: string;
  id: string | null;
  data: unknown;
}

/** Parses one event. Returns null for a comment, which only keeps the connection alive. */
function parseEvent(block: string): ServerEvent | null {
  const event: ServerEvent = { name: '', id: null, data: null };
  for (const line of block.split('\n')) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event.name = value ?? '';
    else if (field === 'id') event.id = value ?? null;
    else if (field === 'data') event.data = JSON.parse(value ?? 'null');
  }
  return event.name ? event : null;
}

/**
 * Yields the events of a response as they arrive. `EventSource` can neither send the credential nor
 * use POST.
 */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      const blocks = buffer.split('\n\n');
      buffer = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    // Leaving the loop early must also close the connection.
    void reader.cancel().catch(() => undefined);
  }
}
