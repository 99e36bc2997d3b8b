import { spawn } from 'node:child_process'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll } from 'vitest'
import { hostCommand } from '../harness/host/hostProcess.js'
import { SHORT_LIFE } from '../harness/host/shortLife.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'

let network: LocalNetwork
let database: TestDatabase
export let config: string
export let env: NodeJS.ProcessEnv
export let cli: string

export const run = (...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...SHORT_LIFE, cli, ...args, '--config', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.once('close', (code) => resolve({ code, out, err }))
  })

/** Prepares the program of the operator over two chains and a database without tables, for the tests of a file. */
export const useCommandLine = (): void => {
  beforeAll(async () => {
    network = await startLocalNetwork()
    database = await createTestDatabase({ packages: [] })
    const command = await hostCommand({ network, databaseUrl: database.url })
    ;[cli = '', , , config = ''] = command.args
    env = command.env
  })
  afterAll(async () => {
    await database?.drop()
    await network?.close()
  })
}
