import { ActionRefusedError, auditActor, type Command } from '@causeway/core/plugin'
import { readWallet, type WalletLinks } from './walletLinks.js'

export interface WalletCommandDeps {
  /** Asked for when the command runs; null: this deployment keeps no balances. */
  links(): WalletLinks | null
}

const readIntegrator = (text: string): string => {
  if (/^[\x21-\x7e]{1,100}$/.test(text)) return text.toLowerCase()
  throw new ActionRefusedError('Give the id of an integrator as api-keys list shows it.')
}

const readReason = (value: unknown): string => {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 500) return value.trim()
  throw new ActionRefusedError('Say why with --reason, in at most 500 characters; the audit keeps it.')
}

/** `integrators wallet`: the wallet that pays for an integrator, looked at or set by an operator who knows that it agrees. */
export const walletCommand = ({ links }: WalletCommandDeps): Command => ({
  name: 'integrators wallet',
  console: 'action',
  description:
    'Show the wallet whose balance pays for what an integrator sponsors; with a wallet link that one, which must have agreed',
  arguments: [
    { name: 'integrator', description: 'Its id, from api-keys list', required: true },
    { name: 'wallet', description: 'EVM address to link, in place of the one before', required: false },
  ],
  options: [
    { flags: '--remove', description: 'Take the link back' },
    { flags: '--reason <text>', description: 'Why; kept in the audit' },
  ],
  run: async ({ arguments: [id = '', address], options, actor = auditActor(), print }) => {
    const store = links()
    if (store === null)
      throw new ActionRefusedError('This deployment keeps no balances; see "balances" of the configuration.')
    const integratorId = readIntegrator(id)
    const isRemoved = options.remove === true
    if (isRemoved && address !== undefined) throw new ActionRefusedError('Give a wallet or --remove, not both.')
    if (isRemoved) {
      const wallet = await store.unlink(integratorId, { actor, reason: readReason(options.reason) })
      return print(wallet === null ? 'No wallet was linked.' : `${wallet} pays for it no more.`)
    }
    if (address !== undefined) {
      const wallet = readWallet(address)
      await store.linkKnown({ integratorId, wallet }, { actor, reason: readReason(options.reason) })
      return print(`${wallet} pays for what the integrator sponsors.`)
    }
    const found = await store.find(integratorId)
    print(
      found === null
        ? 'No wallet is linked.'
        : `${found.wallet}\tlinked ${found.linkedAt.toISOString()}\tbalance ${found.balance}\tfree ${found.free}`,
    )
  },
})
