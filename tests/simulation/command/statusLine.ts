import type { WriteStream } from 'node:tty'

/** Between two lines where each is a line of its own; a terminal shows them in one place. */
const PLAIN_EVERY_MS = 10_000
const TERMINAL_EVERY_MS = 200

/** One line that changes while work goes on. */
export class StatusLine {
  readonly #stream: Pick<WriteStream, 'write' | 'isTTY'>
  #shownAt = performance.now()

  constructor(stream: Pick<WriteStream, 'write' | 'isTTY'>) {
    this.#stream = stream
  }

  /** Makes and shows the line, if it is time for one. */
  show(line: () => string): void {
    const now = performance.now()
    if (now - this.#shownAt < (this.#stream.isTTY ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS)) return
    this.#shownAt = now
    this.#write(line(), this.#stream.isTTY ? '' : '\n')
  }

  end(line: string): void {
    this.#write(line, '\n')
  }

  #write(line: string, end: string): void {
    this.#stream.write(`${this.#stream.isTTY ? '\r\u001b[2K' : ''}${line}${end}`)
  }
}
