import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { RunningParts } from '../runningParts.js'
import { sandboxPaths } from '../state/sandboxPaths.js'
import type { RecordedChain, SandboxState } from '../state/sandboxState.js'
import { moveTransfer } from './moveTransfer.js'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** The port of a host that answers the first quote with 500 and no later one. */
const failOnce = async (): Promise<number> => {
  let asked = 0
  server = createServer((_request, answer) => {
    asked += 1
    if (asked === 1) answer.writeHead(500).end(JSON.stringify({ message: 'Internal error.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: it listens on a port.
  return (server.address() as AddressInfo).port
}

const chain = (id: number, name: string): RecordedChain => ({
  ...{ id, name, package: name, vmType: 'acmevm', pid: null, rpcUrl: '', wsUrl: '', genesisHash: '' },
  ...{ allocator: 'own', processWord: '', depository: '', options: {}, unlisted: [] },
  testing:
    'data:text/javascript,export const chainTesting = { startLocalChain() {}, readChain: () => ({ balance: async () => 0n }) }',
  currencies: [{ address: 'native', symbol: 'COIN', name: 'Coin', decimals: 9, groupId: 'acme' }],
})

it('a quote that the host failed: names the status, the warnings and the members to check, also when a later one hangs', async () => {
  const [origin, destination] = [chain(1, 'harbor'), chain(2, 'acme')]
  const state: SandboxState = {
    ...{
      supervisorPid: 1,
      hostPid: 2,
      port: await failOnce(),
      apiKey: '',
      databaseUrl: '',
      databasePort: 1,
      sponsor: null,
    },
    chains: [origin, destination],
    accounts: [origin, destination].map(({ id }) => ({ chainId: id, address: `user-${id}`, privateKey: '' })),
  }
  const running = new RunningParts(sandboxPaths('.causeway'), {}, () => undefined)
  const moving = moveTransfer({ running, state, origin, destination, tried: destination, stepMs: 1_500, program: '' })
  await expect(moving).rejects.toThrow(
    /no quote was given \(within 1\.5 s\)\.\nLast seen: .*answered 500: Internal error\.\nThe last warnings of the host, below, .*\nCheck: `addressCodec`/,
  )
})
