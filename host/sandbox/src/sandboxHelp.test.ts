import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { findPages, sandboxHelp } from './sandboxHelp.js'
import { sandboxPaths } from './state/sandboxPaths.js'
import type { SandboxState } from './state/sandboxState.js'

let server: Server
afterEach(() => server.close())

/** The port of a host that serves these paths. */
const serve = async (...paths: readonly string[]): Promise<number> => {
  server = createServer(({ url }, answer) => answer.writeHead(paths.includes(url ?? '') ? 200 : 404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: it listens on a port.
  return (server.address() as AddressInfo).port
}

const helpOf = async (port: number): Promise<string> => {
  const state: SandboxState = {
    supervisorPid: 1,
    hostPid: 2,
    port,
    apiKey: '',
    databaseUrl: '',
    databasePort: 1,
    chains: [],
    accounts: [],
    sponsor: null,
  }
  return sandboxHelp(sandboxPaths('.causeway'), state, await findPages(port))
}

it('the help ends with the link to the page where the host serves one', async () => {
  const port = await serve('/try', '/console')
  const help = await helpOf(port)
  expect(help.trimEnd().endsWith(`http://127.0.0.1:${port}/try`)).toBe(true)
  expect(help).toContain(`at http://127.0.0.1:${port}/console`)
})

it('without a page no link is printed; how an operator signs in always is', async () => {
  const help = await helpOf(await serve())
  expect(help).not.toMatch(/\/(try|console)\b/)
  expect(help).toContain('dashboard operator-token --config .causeway/sandbox.config.json')
})
