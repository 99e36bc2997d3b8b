import { callApi } from '../harness/apiCall.js'
import { operatorSession } from '../http/dashboardErrors.js'
import { newWallet, signIn } from '../http/dashboardSession.js'
import type { HttpWorld } from '../http/httpWorld.js'

const PATH = '/integrators/funding-wallet'
const MANAGED = '/dashboard/api/funding-wallet'

/** How the operations on funding wallets are brought to each error of theirs; `proxied` calls with a key that was added for a browser. */
export const walletErrors = (
  world: HttpWorld,
  proxied: (method: string, path: string) => Promise<number>,
): Readonly<Record<string, () => Promise<number>>> => {
  const { url, apiKey } = world.host
  const status = async (method: string, path: string, headers?: Readonly<Record<string, string>>) =>
    (await callApi(url, path, { method, ...(headers === undefined ? { apiKey } : { headers }) })).status
  /** Somebody new, to whom no wallet is linked. */
  const member = () => signIn(url, newWallet())
  return {
    [`POST ${PATH}/message 403`]: () => proxied('POST', `${PATH}/message`),
    [`PUT ${PATH} 403`]: () => proxied('PUT', PATH),
    [`GET ${PATH} 403`]: () => proxied('GET', PATH),
    [`GET ${PATH} 404`]: () => status('GET', PATH),
    [`DELETE ${PATH} 403`]: () => proxied('DELETE', PATH),
    [`DELETE ${PATH} 404`]: () => status('DELETE', PATH),
    [`PUT ${MANAGED} 400`]: async () => status('PUT', MANAGED, await operatorSession(world)),
    [`GET ${MANAGED} 404`]: async () => status('GET', MANAGED, await member()),
    [`DELETE ${MANAGED} 404`]: async () => status('DELETE', MANAGED, await member()),
  }
}
