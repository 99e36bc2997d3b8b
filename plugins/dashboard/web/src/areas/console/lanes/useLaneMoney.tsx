import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readCommand } from '../commands.js'
import type { InventoryReport } from '../inventory/inventoryReport.js'
import { Money } from '../parts/Money.js'
import type { ShownCurrency } from '../parts/shownMoney.js'

/** Lanes name currencies by address alone: their symbols are those of the inventory. */
export const useLaneMoney = (chainId: number): ((currency: string, amount: string) => ReactNode) => {
  const known = useQuery(readCommand<InventoryReport>({ name: 'inventory' }, null)).data?.chains ?? []
  const held = known.find((chain) => chain.chainId === chainId)?.currencies ?? []
  return (currency, amount) => {
    const found = held.find((item) => item.currency.currency === currency)?.currency
    const shown: ShownCurrency = found ?? { chainId, currency, symbol: null, decimals: null }
    return <Money money={{ ...shown, amount }} />
  }
}
