import type { WaitingArrivals } from '../address/sweptArrivals.js'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { childRequest, type NewRequest } from '../request/insertRequests.js'
import type { DepositClass } from './classifyDeposit.js'
import type { KnownOrder } from './depositStore.js'

/** Transaction of the first payment that a sweep's deposit was made of. */
export const transferOf = ({ money, block }: DepositEvent, arrived: WaitingArrivals | undefined): string | undefined =>
  arrived?.arrivals.find(
    ({ currency, height }) => currency === money.currency && (block === null || height <= block.height),
  )?.txId

type Order = Pick<KnownOrder, 'terms' | 'consumed' | 'texts'>

/** The quote's own request, or a child with the deposit's own chain, currency and amount. */
export const requestOfDeposit = (
  chain: Chain,
  event: DepositEvent,
  fate: DepositClass,
  order: Order,
  txId: string | undefined,
): NewRequest | null => {
  const request = plainRequest(chain, event, fate, order, txId)
  return request === null || order.texts === undefined ? request : { ...request, texts: order.texts }
}

const plainRequest = (
  chain: Chain,
  event: DepositEvent,
  fate: DepositClass,
  { terms, consumed }: Order,
  txId: string | undefined,
): NewRequest | null => {
  const transfer = txId === undefined ? {} : { transferTx: txId }
  if (fate.kind === 'parked' || fate.kind === 'balance') return null
  if (fate.kind === 'fillable') return { terms, parent: null, refundReason: null, ...transfer }
  if (terms.address !== undefined || fate.kind === 'fresh')
    return addressChild(chain, event, fate, { terms, consumed }, transfer)
  const isTold = fate.reason !== 'DOUBLE_SPEND' && isOfUser(chain, event, terms)
  return childRequest(terms, fate.reason, { chainId: chain.config.id, ...event.money, isTold })
}

/**
 * What came by an address, and is another deposit than the quote asked for. Whoever polls the quote's id hears of it as long as no other
 * deposit has consumed the order (wire.md K.4 1).
 */
const addressChild = (
  chain: Chain,
  { money }: DepositEvent,
  fate: Extract<DepositClass, { kind: 'fresh' | 'child' }>,
  { terms, consumed }: Order,
  transfer: Pick<NewRequest, 'transferTx'>,
): NewRequest => ({
  ...childRequest(terms, fate.kind === 'child' ? fate.reason : null, {
    chainId: chain.config.id,
    ...money,
    isTold: false,
  }),
  ...transfer,
  ...(consumed ? {} : { answersFor: terms.requestId }),
})

/** Whether the quote's own user surely sent a deposit: whom it names as its depositor anybody may write into it. */
const isOfUser = ({ adapter }: Chain, { senders, txData }: DepositEvent, { user }: KnownOrder['terms']): boolean =>
  (senders ?? [txData.from]).some((sender) => adapter.sameAddress(sender, user))
