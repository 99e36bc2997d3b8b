import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import {
  BALANCE_CURRENCY,
  CHAINS,
  type PluginContext,
  POOL,
  type Provide,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
  type Route,
  WALLET_SIGNATURES,
} from '@causeway/core/plugin'
import { lossCapsOf } from '../losses/lossCaps.js'
import type { ExecuteOptions } from './executeOptions.js'
import { executeRoute } from './executeRoute.js'
import { ExecutionDesk } from './executionDesk.js'
import { OriginGasFees } from './quoting/originGasFees.js'
import { originGasQuotes } from './quoting/originGasQuotes.js'

type Container = PluginContext<unknown>['container']

/** What `POST /execute` needs of others. */
export const EXECUTE_NEEDS = [POOL, CLOCK, CHAINS, CURRENCIES, PRICES, BALANCE_CURRENCY, QUOTE_STORE, WALLET_SIGNATURES]

/** Quotes whose deposit is made by a call that is sent for the user. */
export const registerExecute = (
  { container, provide }: Pick<PluginContext<unknown>, 'container'> & Provide,
  { maxGas }: ExecuteOptions,
): void => {
  const extension = originGasQuotes({ fees: new OriginGasFees(container.resolve(CLOCK)), maxGas })
  provide(QUOTE_EXTENSIONS, () => [extension])
}

export const executeRoutes = (container: Container, options: ExecuteOptions): readonly Route[] => {
  const desk = new ExecutionDesk({
    pool: container.resolve(POOL),
    clock: container.resolve(CLOCK),
    chains: container.resolve(CHAINS),
    currencies: container.resolve(CURRENCIES),
    prices: container.resolve(PRICES),
    balanceCurrency: container.resolve(BALANCE_CURRENCY),
    quotes: container.resolve(QUOTE_STORE),
    signatures: container.resolve(WALLET_SIGNATURES),
    maxGas: BigInt(options.maxGas),
    feeToleranceBps: BigInt(options.feeToleranceBps),
    caps: lossCapsOf(options),
  })
  return [executeRoute(desk)]
}
