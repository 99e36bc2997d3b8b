import { relative } from 'node:path'
import type { SandboxPaths } from './state/sandboxPaths.js'
import { baseUrlOf, type SandboxState } from './state/sandboxState.js'

/** What to try next: printed when a sandbox is ready. */
export const sandboxHelp = (paths: SandboxPaths, state: SandboxState): string => {
  const [origin, destination] = state.chains
  const user = state.accounts[0]?.address ?? ''
  const token = (chain: typeof origin): string =>
    chain?.currencies.find(({ symbol }) => symbol === 'USDC')?.address ?? ''
  const body = {
    user,
    recipient: user,
    originChainId: origin?.id,
    destinationChainId: destination?.id,
    originCurrency: token(origin),
    destinationCurrency: token(destination),
    amount: '1000000',
    tradeType: 'EXACT_INPUT',
  }
  const url = baseUrlOf(state.port)
  const here = (file: string): string => {
    const near = relative(process.cwd(), file)
    return near.startsWith('..') ? file : near
  }
  return `
The sandbox is ready at ${url}

  Chains    ${state.chains.map(({ id, name, rpcUrl }) => `${name} (${id}) ${rpcUrl}`).join('   ')}
  Accounts  funded on every chain; with their keys in ${here(paths.info)}
  Log       ${here(paths.hostLog)}

Ask for a quote:

  curl -s ${url}/quote -H 'content-type: application/json' -H 'x-api-key: ${state.apiKey}' \\
    -d '${JSON.stringify(body)}'

With "useDepositAddress":true and a "refundTo" in the body, the first step's "depositAddress" is paid by a plain transfer
from any wallet; whatever amount arrives is filled.

Follow a request, with the requestId of the quote:

  curl -s '${url}/intents/status/v3?requestId=<requestId>'

Add a second solver:

  npx causeway start --config ${here(paths.config)} --role solver

Press Ctrl-C to stop everything.
`
}
