import { spawn } from 'node:child_process'
import { type HostProcessOptions, hostCommand } from './hostProcess.js'
import { SHORT_LIFE } from './shortLife.js'

/** How a command ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Makes an API key for a deployment whose tables are there. */
export const createApiKey = async (options: HostProcessOptions): Promise<string> => {
  const { output } = await runOperator(options, ['api-keys', 'create', '--integrator', 'tests', '--label', 'tests'])
  const [, apiKey] = output.match(/^key: +(\S+)$/m) ?? []
  if (apiKey === undefined) throw new Error(`No API key was made: ${output}`)
  return apiKey
}

/** Runs a command of the built program over the configuration and database of a host. */
export const runOperator = async (options: HostProcessOptions, words: readonly string[]): Promise<Ended> => {
  const { args, env } = await hostCommand(options)
  const [cli = '', , , config = ''] = args
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...SHORT_LIFE, cli, ...words, '--config', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    child.once('close', (code) => resolve({ code, output }))
  })
}
