import { createConnection, type Socket } from 'node:net'
import { percentile } from './rounds.js'

export interface Load {
  readonly url: string
  readonly path: string
  readonly connections: number
  readonly requests: number
  /** JSON text of the n-th body. */
  body(index: number): string
  /** Further headers of the n-th request, each line ended. */
  headers?(index: number): string
}

export interface LoadResult {
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
  readonly failures: number
  /** Bytes of the last answer's body. */
  readonly bytes: number
}

interface Answer {
  readonly status: number
  readonly bytes: number
}

/**
 * Sends POST requests over kept connections, the next one of a connection when the last was answered. Speaks HTTP/1.1 over bare
 * sockets: a client library would cost as much as what is measured.
 */
export const runLoad = async (load: Load): Promise<LoadResult> => {
  const { hostname, port } = new URL(load.url)
  const latencies = new Float64Array(load.requests)
  let next = 0
  let failures = 0
  let bytes = 0
  const startedAt = performance.now()
  const worker = async (): Promise<void> => {
    const connection = await Connection.open(hostname, Number(port))
    for (let index = next++; index < load.requests; index = next++) {
      const sentAt = performance.now()
      const answer = await connection.post(load.path, load.body(index), load.headers?.(index) ?? '')
      latencies[index] = performance.now() - sentAt
      if (answer.status !== 200) failures += 1
      bytes = answer.bytes
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: load.connections }, worker))
  const seconds = (performance.now() - startedAt) / 1_000
  latencies.sort()
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    perSecond: load.requests / seconds,
    failures,
    bytes,
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')))
  }

  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host, port, noDelay: true }, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  post(path: string, body: string, headers: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`,
      )
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf(HEAD_END)
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    const bytes = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    if (Number.isNaN(bytes)) {
      this.#waiting?.reject(new Error('The answer has no content-length.'))
      return
    }
    if (this.#received.length < end + HEAD_END.length + bytes) return
    this.#received = Buffer.alloc(0)
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve({ status: Number(head.slice(9, 12)), bytes })
  }
}
