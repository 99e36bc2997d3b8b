import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const DEMO = fileURLToPath(new URL('../dist/demo/demo.js', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly output: string
  /** The last line of stdout, which is JSON. */
  readonly last: Record<string, unknown>
}

/** The built demo, as `npm run demo` runs it; `onOutput` may signal it. */
export const runDemo = (
  words: readonly string[],
  onOutput?: (output: string, kill: () => void) => void,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [DEMO, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      onOutput?.(output, () => child.kill('SIGINT'))
    })
    child.once('error', reject)
    child.once('close', (code) => {
      try {
        resolve({ code, output, last: JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') })
      } catch (error) {
        reject(new Error(`The demo's last line is not JSON:\n${output}`, { cause: error }))
      }
    })
  })
