import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readCommand } from '../commands.js'
import type { InventoryReport } from '../inventory/inventoryReport.js'
import { Money } from '../parts/money/Money.js'
import type { ShownMoney } from '../parts/money/shownMoney.js'

/** Lanes name currencies by address alone: their symbols are those of the inventory. */
export const useShownMoney = (): ((chainId: number, currency: string, amount: string) => ShownMoney) => {
  const known = useQuery(readCommand<InventoryReport>({ name: 'inventory' }, null)).data?.chains ?? []
  return (chainId, currency, amount) => {
    const held = known.find((chain) => chain.chainId === chainId)?.currencies ?? []
    const found = held.find((item) => item.currency.currency === currency)?.currency
    return { ...(found ?? { chainId, currency, symbol: null, decimals: null }), amount }
  }
}

export const useLaneMoney = (chainId: number): ((currency: string, amount: string) => ReactNode) => {
  const shown = useShownMoney()
  return (currency, amount) => <Money money={shown(chainId, currency, amount)} />
}
