import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { SHORT_LIFE } from '../harness/host/shortLife.js'
import { cli, config, env, run, useCommandLine } from './builtCommand.js'

useCommandLine()

it('tells by its exit code that something is wrong', async () => {
  // The solver's money was never booked: no lane has opened yet.
  const check = await run('ledger', 'check')
  expect(check).toMatchObject({ code: 1, err: expect.stringContaining('The ledger check failed: wallet-balance.') })
})

it('goes on without a word when the reader of its output leaves, as head does', async () => {
  const child = spawn(process.execPath, [...SHORT_LIFE, cli, 'doctor', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  // 1: a database of the tests does not flush, which is a fault.
  expect({ code, err }).toEqual({ code: 1, err: '' })
})

it('reads real chains from a process of its own, and ends', async () => {
  const { code, out } = await run('inventory', '--json')
  expect(code).toBe(0)
  const { chains } = JSON.parse(out)
  expect(chains).toMatchObject([
    { slug: 'harbor', reachable: true },
    { slug: 'lagoon', reachable: true },
  ])
})
