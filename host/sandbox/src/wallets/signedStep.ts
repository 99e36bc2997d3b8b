import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { SandboxError } from '../sandboxError.js'

/** What a step of kind `signature` says (wire.md A.4). */
interface SignatureData {
  readonly sign?: {
    readonly domain: Readonly<Record<string, never>>
    readonly types: Readonly<Record<string, never>>
    readonly primaryType: string
    readonly value: Readonly<Record<string, never>>
  }
  readonly post?: { readonly endpoint: string; readonly body: unknown }
}

/** Signs typed data as a wallet does, and hands the signature in; what the service answered. @throws SandboxError when it refused */
export const signAndPost = async (url: string, privateKey: string, data: unknown): Promise<string> => {
  // CAST: both members are looked at before they are used.
  const { sign, post } = data as SignatureData
  if (sign === undefined || post === undefined) throw new SandboxError('The step says nothing to sign.')
  const { domain, types, primaryType, value: message } = sign
  // CAST: accounts of the sandbox's EVM chains have keys in hex.
  const account = privateKeyToAccount(privateKey as Hex)
  const signature = await account.signTypedData({ domain, types, primaryType, message })
  const answer = await fetch(`${url}${post.endpoint}?signature=${signature}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(post.body),
  })
  // CAST: what the service answers with.
  const { message: said = '' } = (await answer.json()) as { message?: string }
  if (!answer.ok) throw new SandboxError(`The signature was refused: ${said}`)
  return said
}
