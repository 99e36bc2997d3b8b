import { relative } from 'node:path'
import type { SandboxPaths } from './state/sandboxPaths.js'
import { baseUrlOf, type SandboxState } from './state/sandboxState.js'

const PATIENCE_MS = 5_000

/** Pages that a host of the sandbox serves. */
export interface ServedPages {
  readonly try: boolean
  readonly console: boolean
}

/** Which pages the host serves: they come with a plugin that a deployment may do without. */
export const findPages = async (port: number): Promise<ServedPages> => {
  const serves = async (path: string): Promise<boolean> => {
    try {
      const response = await fetch(`${baseUrlOf(port)}${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
      await response.arrayBuffer()
      return response.status === 200
    } catch {
      return false
    }
  }
  const [hasTry, hasConsole] = await Promise.all([serves('/try'), serves('/console')])
  return { try: hasTry, console: hasConsole }
}

/** What to try next: printed when a sandbox is ready. */
export const sandboxHelp = (paths: SandboxPaths, state: SandboxState, pages: ServedPages): string => {
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

Sign in as its operator${pages.console ? ` at ${url}/console` : ' (POST /dashboard/api/session/operator)'} with the token that this makes:

  npx causeway dashboard operator-token --config ${here(paths.config)}

Press Ctrl-C to stop everything.
${pages.try ? `\nSee it and work it: ${url}/try\n` : ''}`
}
