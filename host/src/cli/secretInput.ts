import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './plainError.js'

/** Where secrets are typed; a terminal, else a pipe. */
export interface SecretStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined }
  readonly output: NodeJS.WritableStream
}

export const processStreams: SecretStreams = { input: process.stdin, output: process.stderr }

/** Asks on a terminal for a line that everybody may see. @throws UsageError where nobody can answer */
export const askLine = async (question: string, { input, output }: SecretStreams): Promise<string> => {
  if (input.isTTY !== true) throw new UsageError(`${question} cannot be asked here: this is no terminal.`)
  const terminal = createInterface({ input, output, terminal: true })
  const left = new AbortController()
  terminal.once('SIGINT', () => left.abort())
  try {
    return await terminal.question(`${question}: `, { signal: left.signal })
  } catch {
    throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}

/** Asks on a terminal and shows nothing of the answer. @throws UsageError where nobody can answer */
export const askHidden = async (question: string, { input, output }: SecretStreams): Promise<string> => {
  if (input.isTTY !== true) throw new UsageError(`${question} cannot be asked here: this is no terminal.`)
  output.write(`${question}: `)
  // The line editor echoes into nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output: nowhere, terminal: true })
  const left = new AbortController()
  terminal.once('SIGINT', () => left.abort())
  try {
    return await terminal.question('', { signal: left.signal })
  } catch {
    throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
    output.write('\n')
  }
}

/** A secret that is to be typed the same way twice. @throws UsageError */
export const askHiddenTwice = async (question: string, streams: SecretStreams): Promise<string> => {
  const first = await askHidden(question, streams)
  const second = await askHidden(`${question} again`, streams)
  if (first !== second) throw new UsageError('The two differ. Nothing was changed.')
  return first
}

/** A secret from a pipe, or typed unseen on a terminal. */
export const readHidden = async (question: string, streams: SecretStreams): Promise<string> => {
  const { input } = streams
  if (input.isTTY === true) return askHidden(question, streams)
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8').trim()
}
