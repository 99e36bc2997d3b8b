import { SandboxError } from '../sandboxError.js'
import type { SandboxAccount } from '../state/sandboxState.js'
import { signText } from './walletSignature.js'

const PATH = '/integrators/funding-wallet'

/** Links the wallet of an account to the integrator of the key, as an integrator does it: the service asks, the wallet signs. @throws SandboxError */
export const linkSponsor = async (
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  { address: wallet, privateKey }: SandboxAccount,
): Promise<void> => {
  const call = async (method: string, path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    const response = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new SandboxError(`The sponsor's wallet could not be linked: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  // CAST: the shape is the route's own.
  const asked = (await call('POST', `${PATH}/message`, { wallet })) as { message: string; nonce: string }
  const signature = await signText(privateKey, asked.message)
  await call('PUT', PATH, { wallet, nonce: asked.nonce, signature })
}
