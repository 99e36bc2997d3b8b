import { CLOCK, CURRENCIES } from '@causeway/core'
import { PERMIT_KINDS, PRICES } from '@causeway/core/chain'
import {
  CHAINS,
  PERMIT_HANDLERS,
  type PluginContext,
  POOL,
  type Provide,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
} from '@causeway/core/plugin'
import { lossCapsOf, usdOf } from '../losses/lossCaps.js'
import type { GaslessOptions } from '../options.js'
import { PermitDesk, type PermitOutcome } from './permitDesk.js'
import { PermitFees } from './permitFees.js'
import { permitQuotes } from './permitQuotes.js'

/** What permits need of the deployment. */
export const PERMIT_NEEDS = [CHAINS, CURRENCIES, PRICES, POOL, CLOCK, QUOTE_STORE]

const MESSAGES: Readonly<Record<PermitOutcome, string>> = {
  taken: 'The signature is taken; the deposit is on its way',
  deposited: 'The deposit of this request is there already',
}

/** Quotes that are paid by a signature, and the desk that takes it. */
export const registerPermits = (
  { container, provide }: Pick<PluginContext<unknown>, 'container'> & Provide,
  { permits, execute }: Pick<GaslessOptions, 'permits' | 'execute'>,
): void => {
  const clock = container.resolve(CLOCK)
  const fees = new PermitFees(clock)
  const extension = permitQuotes({ clock, fees })
  provide(QUOTE_EXTENSIONS, () => [extension])
  let desk: PermitDesk | undefined
  const deskOf = (): PermitDesk => {
    desk ??= new PermitDesk({
      clock,
      pool: container.resolve(POOL),
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      prices: container.resolve(PRICES),
      quotes: container.resolve(QUOTE_STORE),
      fees,
      tolerance: { bps: BigInt(permits.gasToleranceBps), usd: usdOf(permits.gasToleranceUsd) },
      caps: lossCapsOf(execute),
    })
    return desk
  }
  provide(PERMIT_HANDLERS, () => [
    {
      kinds: PERMIT_KINDS,
      execute: async (call) => {
        const outcome = await deskOf().execute(call)
        return { message: MESSAGES[outcome] }
      },
    },
  ])
}
