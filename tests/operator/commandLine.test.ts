import { expect, it } from 'vitest'
import { run, useCommandLine } from './builtCommand.js'

useCommandLine()

it('reads real chains from a process of its own, and ends', async () => {
  const { code, out } = await run('inventory', '--json')
  expect(code).toBe(0)
  const { chains } = JSON.parse(out)
  expect(chains).toMatchObject([
    { slug: 'harbor', reachable: true },
    { slug: 'lagoon', reachable: true },
  ])
})
